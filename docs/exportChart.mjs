// Draws the TVL of a family from a folder of exports: node docs/exportChart.mjs FOLDER FAMILY FILE.svg
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const WIDTH = 800;
const HEIGHT = 300;
const [folder, family, file] = process.argv.slice(2);

const instance = await DuckDBInstance.create();
const duckdb = await instance.connect();
await duckdb.run(`set file_search_path = '${folder.replaceAll("'", "''")}'`);
await duckdb.run(await readFile(join(folder, 'assay.sql'), 'utf8'));
const read = await duckdb.runAndReadAll(
  `select "at", tvl::double from ticks where family = $1 and tvl is not null order by "at"`,
  [family],
);
const ticks = read.getRows().map(([at, tvl]) => ({ at: Number(at), tvl }));
duckdb.closeSync();
instance.closeSync();
if (ticks.length === 0) throw new Error(`there are no ticks of ${family} in ${folder}`);

const first = ticks[0].at;
const span = Math.max(1, ticks.at(-1).at - first);
const most = Math.max(1, ...ticks.map(({ tvl }) => tvl));
const points = ticks.map(({ at, tvl }) => {
  const x = ((at - first) / span) * WIDTH;
  const y = HEIGHT - (tvl / most) * HEIGHT;
  return `${x.toFixed(1)},${y.toFixed(1)}`;
});
const title = `TVL, ${new Date(first * 1000).toISOString()} to ${new Date((first + span) * 1000).toISOString()}`;
await writeFile(
  file,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title>${title}</title><polyline fill="none" stroke="currentColor" points="${points.join(' ')}"/></svg>\n`,
);
