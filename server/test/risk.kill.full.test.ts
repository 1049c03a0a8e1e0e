import { expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { applyImport } from '../src/risk/import/applyImport.ts';
import { regradeAll } from '../src/risk/import/regrade.ts';
import { riskEdges } from '../src/store/risk/edges.ts';
import { riskRead } from '../src/store/risk/read.ts';
import { findVersion } from '../src/store/risk/version.ts';
import { type Store, statement } from '../src/store/store.ts';
import { createRandom } from './activity.ts';
import { startChild } from './childProcess.ts';
import { createDatabase, enginesFor, type TestDatabase } from './database.ts';
import { riskRound } from './riskRounds.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 1_559);
const KILLS = LONG ? 40 : 3;
/** Approximate number of lines that one round's import prints. */
const STEPS = 22;

const ROWS = statement(
  'test.riskKill.rows',
  `select (select count(*) from risk_record) + (select count(*) from risk_node)
     + (select count(*) from risk_edge) + (select count(*) from risk_grade) as "rows"`,
);

/** Returns the graph without times, as its readers get it. */
async function read(store: Store) {
  const nodes: string[] = [];
  for await (const page of riskRead.getOutlines(store)) {
    const full = await riskRead.getNodes(
      store,
      page.map(({ id }) => id),
    );
    for (const { node, graded } of full.nodes) nodes.push(JSON.stringify([node, graded]));
  }
  const edges: string[] = [];
  for await (const page of riskEdges.getAll(store)) {
    for (const { lastUpdatedAt: _, ...edge } of page) edges.push(JSON.stringify(edge));
  }
  return { nodes, edges };
}

function add(store: Store, round: number) {
  const records = riskRound(round);
  return applyImport({ store, source: 'defillama-pools', records, now: 1_790_000_000 + round });
}

test.each(enginesFor('risk import kill'))(
  `an import that is killed on %s leaves the previous or the new graph (seed ${SEED})`,
  async (engine) => {
    const random = createRandom(SEED);
    const database: TestDatabase = await createDatabase(engine);
    try {
      let store = await database.open();
      await add(store, 0);
      let before = await read(store);
      let version = await findVersion(store);
      let killedInside = 0;
      for (let round = 1; round <= KILLS; round++) {
        await store.close();
        const child = startChild('importRisk.ts', JSON.stringify(database.config), String(round));
        const steps = 2 + random.int(STEPS);
        let line: string | undefined;
        for (let seen = 0; seen < steps; seen++) {
          line = await child.nextLine();
          if (line === undefined || line === 'done') break;
        }
        await child.kill();
        expect(line, child.errors()).toBeDefined();
        store = await database.open();
        const after = await read(store);
        if ((await findVersion(store)) === version) {
          killedInside++;
          expect(after, `round ${round}, at ${line}`).toEqual(before);
        }
        // The next import removes everything that the killed one left.
        await add(store, round);
        before = await read(store);
        version = await findVersion(store);
        expect(before.nodes).toHaveLength(riskRound(round).length);
        expect(before.edges).toHaveLength(riskRound(round).length - 1);
        expect(await regradeAll(store, { now: 1_790_000_000 + round })).toMatchObject({
          changed: 0,
        });
        const [kept] = await store.query<{ rows: number }>(ROWS);
        expect(kept!.rows).toBe(4 * riskRound(round).length - 1);
      }
      expect(killedInside).toBeGreaterThan(0);
    } finally {
      await database.drop();
    }
  },
);
