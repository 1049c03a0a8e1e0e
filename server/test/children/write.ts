// Opens the store folder given as argument and writes rows until killed; prints each number once its commit is
// acknowledged.
import { openPglite } from '../../src/store/pglite.ts';

const insert = {
  name: 'write.insert',
  text: `insert into block (chain_id, number, hash, time)
    select 1, $1::bigint * 1000 + i, decode(repeat('ab', 32), 'hex'), 0 from generate_series(0, 999) i`,
};

const store = await openPglite({ folder: process.argv[2]! });
for (let number = Number(process.argv[3]); ; number++) {
  await store.transaction((tx) => tx.query(insert, [number]));
  console.log(String(number));
}
