// Leads key 1 on the database in its first argument until killed. The second argument is the database's idle timeout in
// milliseconds. With `writes` as the third, it has a transaction open, continues in it, and prints its outcome.
import { setTimeout as sleep } from 'node:timers/promises';
import { STATEMENT_MS } from '../../src/store/deadlines.ts';
import { openPostgres } from '../../src/store/postgres.ts';

const [url, idle, does] = process.argv.slice(2);
const deadlines = { ...STATEMENT_MS, ...(idle !== undefined && { idle: Number(idle) }) };
const store = await openPostgres({ url: url!, deadlines });
const leadership = await store.lead(1);
console.log(leadership ? 'leads' : 'follows');
if (leadership && does === 'writes') {
  const text = `insert into block (chain_id, number, hash, time) values (1, $1, '\\x00', 0)`;
  const written = leadership.transaction(async (tx) => {
    for (let number = 1; ; number++) {
      await tx.query({ name: 'test.insert', text }, [number]);
      if (number === 1) console.log('writes');
      await sleep(50);
    }
  });
  await written.catch((error: Error) => console.log(error.name));
}
await leadership?.lost;
console.log('lost');
