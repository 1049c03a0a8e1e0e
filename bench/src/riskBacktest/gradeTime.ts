import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { loadBuilt } from '../loadBuilt.ts';
import { type Figure, seconds } from '../table.ts';
import { largeGraph } from './largeGraph.ts';
import { realGraph } from './realGraph.ts';
import type { Edge, Graph } from './server.ts';

type GradeGraph = (
  graph: Graph,
  options: { now: number; hash: (text: string) => string; only?: ReadonlySet<string> },
) => Map<string, unknown>;

const NODES = 200_000;
const REAL_MS = 5000;
const NOW = Date.UTC(2026, 10, 15) / 1000;

/** Measures grading from scratch and after one change, on a generated graph and, if available, on the real lists. */
export async function gradeTimes(folder: string | undefined): Promise<Figure[]> {
  const figures = await timesOf(largeGraph(NODES), 'protocol:1', undefined);
  if (folder === undefined || !existsSync(folder)) return figures;
  const real = await realGraph(folder, NOW);
  return [...figures, ...(await timesOf(real, 'protocol:aave-v3', REAL_MS))];
}

async function timesOf(
  graph: Graph,
  changed: string,
  asked: number | undefined,
): Promise<Figure[]> {
  const { gradeGraph }: { gradeGraph: GradeGraph } = await loadBuilt('risk/grade/gradeGraph.js');
  const { affectedBy }: { affectedBy: (edges: readonly Edge[], ids: string[]) => Set<string> } =
    await loadBuilt('risk/grade/affected.js');
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const full = timed(() => gradeGraph(graph, { now: NOW, hash }).size);
  const part = timed(() => {
    const only = affectedBy(graph.edges, [changed]);
    return gradeGraph(graph, { now: NOW, hash, only }).size;
  });
  const name = asked === undefined ? 'a made graph' : 'the real lists';
  return [
    {
      figure: `grading ${name} from scratch: ${full.result} nodes, ${graph.edges.length} edges`,
      asked: asked === undefined ? '' : `below ${seconds(asked)}`,
      measured: `${seconds(full.ms)}, ${seconds(full.cpuMs)} of CPU`,
      pass: asked === undefined ? null : full.ms < asked,
    },
    {
      figure: `${name} after a change to one protocol: ${part.result} nodes`,
      asked: '',
      measured: seconds(part.ms),
      pass: null,
    },
  ];
}

function timed<T>(work: () => T): { ms: number; cpuMs: number; result: T } {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000, result };
}
