// Leads key 1 on the database given as argument until killed.
import { openPostgres } from '../../src/store/postgres.ts';

const store = await openPostgres({ url: process.argv[2]! });
const leadership = await store.lead(1);
console.log(leadership ? 'leads' : 'follows');
