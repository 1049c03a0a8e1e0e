import { type Figure, times } from '../table.ts';
import type { Served } from './demoWorld.ts';
import type { Load } from './load.ts';
import { median } from './summary.ts';

const SPREAD = 10;
const CONNECTIONS = 32;
const FLAT_MEMORY = 1.1;
/** Garbage collection makes memory go up and down, so one sample is not enough. */
const SAMPLE_MS = 250;

export interface SoakOptions {
  readonly server: Served;
  readonly load: Load;
  readonly paths: readonly string[];
  readonly seconds: number;
}

/** Measures all routes under more load than the machine can serve. */
export async function measureSoak({
  server,
  load,
  paths,
  seconds,
}: SoakOptions): Promise<Figure[]> {
  const job = { port: server.port, paths, encoding: 'gzip', connections: CONNECTIONS, seconds };
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(server.memoryMb()), SAMPLE_MS);
  const result = await load.run(job).finally(() => clearInterval(sampling));
  const third = Math.floor(memory.length / 3);
  const early = median(memory.slice(third, 2 * third));
  const late = median(memory.slice(2 * third));
  const { count, p50, p99, max, failures } = result;
  const failed = Object.values(failures).reduce((sum, times) => sum + times, 0);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rate = (count / (result.ms / 1000)).toFixed(0);
  return [
    {
      figure: `full load for ${seconds} s, all routes: errors`,
      asked: '0',
      measured: `${failed} of ${count}, ${rate} a second${failed > 0 ? ` ${JSON.stringify(failures)}` : ''}`,
      pass: failed === 0,
    },
    {
      figure: 'full load: p99 against p50',
      asked: `≤ ${SPREAD}×`,
      measured: `${times(p99 / p50)} (${ms(p99)} / ${ms(p50)}, longest ${ms(max)})`,
      pass: p99 / p50 <= SPREAD,
    },
    {
      figure: 'full load: memory in its last third against its second',
      asked: `≤ ${FLAT_MEMORY}×`,
      measured: `${times(late / early)} (${late.toFixed(0)} / ${early.toFixed(0)} MB)`,
      pass: late / early <= FLAT_MEMORY,
    },
  ];
}
