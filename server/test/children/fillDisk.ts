// Opens an embedded store in a folder and writes until a write fails, then prints the reason.
import { openPglite } from '../../src/store/pglite.ts';

const ADD = {
  name: 'test.addBlocks',
  text: `insert into block (chain_id, number, hash, time)
    select 1, $1::int + i, decode(repeat(md5(random()::text), 60), 'hex'), 0 from generate_series(1, 1000) i`,
};

const store = await openPglite({ folder: process.argv[2]! });
console.log('open');
let stopped = false;
const crash = store.crashed!.then((error) => {
  stopped = true;
  console.log(JSON.stringify({ outage: error.outage, message: error.message }));
});
for (let n = 0; !stopped; n += 1000) await store.query(ADD, [n]).catch(() => undefined);
await crash;
await store.close();
process.exit(0);
