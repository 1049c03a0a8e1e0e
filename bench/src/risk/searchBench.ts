import { createRandom, type Random } from '../random.ts';
import { type Figure, seconds } from '../table.ts';
import { type Engine, type Index, loadEngine, type Node } from './engine.ts';
import { megabytes, milliseconds, type Spread, timeEach } from './measure.ts';
import { makeEdges, makeNodes } from './names.ts';
import { type Asked, ask, FILTERS, KINDS } from './queries.ts';
import { buildMiniSearch, buildTrigrams, type Rival } from './rivals.ts';

const SMALL = 200_000;
const LARGE = 1_000_000;
const SEED = 7;
const QUERIES = 1000;
const MISTAKES = 2000;
/** The best of three runs of each query counts. */
const GOES = 3;

export interface SearchBench {
  /** Also measures MiniSearch and pg_trgm on the same nodes and queries. */
  readonly rivals: boolean;
  readonly say: (line: string) => void;
}

/** Measures the index and the adjacency as the server builds them, on two graph sizes. */
export async function searchFigures({ rivals, say }: SearchBench): Promise<Figure[]> {
  const engine = await loadEngine();
  const nodes = makeNodes(createRandom(SEED), SMALL);
  say(`search over ${SMALL} nodes`);
  const figures = await ourFigures(engine, nodes, { buildMs: 3000, megabytes: 60 });
  for (const build of rivals ? [buildMiniSearch, buildTrigrams] : []) {
    figures.push(...(await rivalFigures(build, nodes, say)));
  }
  say(`search over ${LARGE} nodes`);
  const many = makeNodes(createRandom(SEED), LARGE);
  figures.push(...(await ourFigures(engine, many, { buildMs: null, megabytes: 300 })));
  return figures;
}

interface Asking {
  readonly buildMs: number | null;
  readonly megabytes: number;
}

async function ourFigures(
  engine: Engine,
  nodes: readonly Node[],
  asked: Asking,
): Promise<Figure[]> {
  const random = createRandom(SEED + 1);
  const edges = [...makeEdges(random, nodes)];
  const before = megabytes();
  const start = performance.now();
  const index = engine.buildSearchIndex(nodes);
  const adjacency = engine.buildAdjacency(index.ids, edges);
  const buildMs = performance.now() - start;
  const used = megabytes() - before;
  const figures: Figure[] = [
    {
      figure: `${nodes.length} nodes, ${edges.length} edges: build`,
      asked: asked.buildMs === null ? '' : `< ${seconds(asked.buildMs)}`,
      measured: seconds(buildMs),
      pass: asked.buildMs === null ? null : buildMs < asked.buildMs,
    },
    {
      figure: `${nodes.length} nodes: memory of index and adjacency`,
      asked: `< ${asked.megabytes} MB`,
      measured: `${used.toFixed(0)} MB`,
      pass: used < asked.megabytes,
    },
  ];
  const judged = asked.buildMs !== null;
  for (const kind of KINDS) {
    const questions = Array.from({ length: QUERIES }, () => ask(random, nodes, kind));
    figures.push(latency(kind, await timeOurs(index, questions, [{}]), nodes, judged));
    const filtered = await timeOurs(index, questions, FILTERS);
    figures.push(latency(`${kind}, filtered`, filtered, nodes, judged));
  }
  figures.push(recallFigure(`${nodes.length} nodes`, recall(index, random, nodes), true));
  const reads = 1_000_000;
  const readMs = milliseconds(() => {
    for (let i = 0; i < reads; i++) adjacency.dependenciesOf(i % nodes.length);
  });
  const microseconds = (readMs * 1000) / reads;
  figures.push({
    figure: `${nodes.length} nodes: dependencies of one`,
    asked: '< 5 µs',
    measured: `${microseconds.toFixed(2)} µs`,
    pass: microseconds < 5,
  });
  return figures;
}

function timeOurs(
  index: Index,
  questions: readonly Asked[],
  filters: typeof FILTERS,
): Promise<Spread> {
  const works = questions.map(({ q }, i) => {
    const query = { q, limit: 10, ...filters[i % filters.length] };
    return () => index.search(query);
  });
  return timeEach(works, GOES);
}

function latency(kind: string, measured: Spread, nodes: readonly Node[], judged: boolean): Figure {
  return {
    figure: `${nodes.length} nodes: ${kind}, p50 / p95`,
    asked: judged ? '< 0.3 / 2 ms' : '',
    measured: spell(measured),
    pass: judged ? measured.p50 < 0.3 && measured.p95 < 2 : null,
  };
}

async function rivalFigures(
  build: (nodes: readonly Node[]) => Promise<Rival>,
  nodes: readonly Node[],
  say: SearchBench['say'],
): Promise<Figure[]> {
  const random = createRandom(SEED + 1);
  const before = megabytes();
  const rssBefore = process.memoryUsage().rss;
  const start = performance.now();
  const rival = await build(nodes);
  const buildMs = performance.now() - start;
  say(`${rival.name}, built in ${seconds(buildMs)}`);
  // The memory of a WebAssembly database is visible only in the process.
  const used = Math.max(megabytes() - before, (process.memoryUsage().rss - rssBefore) / 1e6);
  const toFigure = (figure: string, measured: string): Figure => ({
    figure: `${rival.name}: ${figure}`,
    asked: '',
    measured,
    pass: null,
  });
  const figures = [
    toFigure('build', seconds(buildMs)),
    toFigure('memory', `${used.toFixed(0)} MB`),
  ];
  for (const kind of KINDS) {
    const works = Array.from({ length: rival.questions }, () => {
      const { q } = ask(random, nodes, kind);
      return () => rival.search(q);
    });
    figures.push(toFigure(`${kind}, p50 / p95`, spell(await timeEach(works, rival.goes))));
  }
  let found = 0;
  const mistakes = rival.questions * KINDS.length;
  for (let i = 0; i < mistakes; i++) {
    const { q, name } = ask(random, nodes, 'typo');
    if ((await rival.search(q)).includes(name)) found++;
  }
  figures.push(recallFigure(rival.name, found / mistakes, false));
  await rival.close();
  return figures;
}

function recall(index: Index, random: Random, nodes: readonly Node[]): number {
  let found = 0;
  for (let i = 0; i < MISTAKES; i++) {
    const { q, name } = ask(random, nodes, 'typo');
    if (index.search({ q, limit: 10 }).some((hit) => hit.name === name)) found++;
  }
  return found / MISTAKES;
}

function recallFigure(whose: string, share: number, judged: boolean): Figure {
  return {
    figure: `${whose}: one-letter typos found in the top 10`,
    asked: judged ? '≥ 93 %' : '',
    measured: `${(share * 100).toFixed(1)} %`,
    pass: judged ? share >= 0.93 : null,
  };
}

function spell({ p50, p95 }: Spread): string {
  return `${p50.toFixed(3)} / ${p95.toFixed(3)} ms`;
}
