import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ChainState, ChainStatus } from './status.ts';

/** A count that another part of the server keeps; read at each scrape. */
export interface CounterSource {
  /** In snake case, ending in _total. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  read(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/** A figure that is read anew at each scrape; a reader that fails leaves no sample. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  read(): Promise<
    readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
  >;
}

export interface Metrics {
  /** In the Prometheus text format. */
  read(): Promise<string>;
  readonly contentType: string;
}

const STATES: readonly ChainState[] = ['live', 'syncing', 'unreachable', 'unconfigured'];

/** Metrics of the process, the chains and whatever counters are passed in. */
export function createMetrics(deps: {
  readonly version: string;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  readonly counters?: readonly CounterSource[];
  readonly gauges?: readonly GaugeSource[];
}): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const labelNames = ['chain_id', 'chain'] as const;
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
  const head = gauge('assay_chain_head_block', 'Newest block that the node knows.');
  const finalized = gauge(
    'assay_chain_finalized_block',
    'Newest block that cannot be reorganised.',
  );
  const indexed = gauge('assay_chain_indexed_block', 'Newest block that is indexed.');
  const lag = gauge('assay_chain_lag_seconds', 'Age of the newest indexed block.');
  const heldBack = gauge(
    'assay_chain_held_back',
    'Families and feeds of the chain that are held back; /v1/status names them.',
  );
  const state = new Gauge({
    name: 'assay_chain_state',
    help: '1 for the state that the chain is in.',
    labelNames: [...labelNames, 'state'] as const,
    registers,
  });
  const ofGaps = [...labelNames, 'family', 'reason'] as const;
  const gapBlocks = new Gauge({
    name: 'assay_gap_blocks',
    help: 'Blocks in recorded gaps of a family; reason is what no RPC URL has (state or logs).',
    labelNames: ofGaps,
    registers,
  });
  const gapSeconds = new Gauge({
    name: 'assay_gap_seconds',
    help: 'Time that recorded gaps of a family cover, in seconds.',
    labelNames: ofGaps,
    registers,
  });
  const storeUp = new Gauge({
    name: 'assay_store_up',
    help: 'Whether the database answered this scrape.',
    registers,
  });
  const info = new Gauge({
    name: 'assay_info',
    help: 'The version, as a label.',
    labelNames: ['version'] as const,
    registers,
  });
  info.set({ version: deps.version }, 1);
  for (const source of deps.counters ?? []) addCounter(source, register);
  for (const source of deps.gauges ?? []) addGauge(source, register);

  function setChain(status: ChainStatus): void {
    const labels = { chain_id: String(status.chainId), chain: status.name };
    // What is unknown has no sample: a zero would be read as a block.
    if (status.head !== null) head.set(labels, status.head);
    if (status.finalized !== null) finalized.set(labels, status.finalized);
    if (status.indexedBlock !== null) indexed.set(labels, status.indexedBlock);
    if (status.lagSeconds !== null) lag.set(labels, status.lagSeconds);
    heldBack.set(labels, status.sources.filter((one) => one.state === 'held-back').length);
    for (const { family, reason, ...gap } of status.sources.flatMap(({ gaps }) => gaps)) {
      gapBlocks.inc({ ...labels, family, reason }, gap.toBlock - gap.fromBlock + 1);
      gapSeconds.inc({ ...labels, family, reason }, gap.toTime - gap.fromTime);
    }
    for (const name of STATES) {
      state.set({ ...labels, state: name }, name === status.state ? 1 : 0);
    }
  }

  async function read(): Promise<string> {
    for (const each of [head, finalized, indexed, lag, heldBack, state]) each.reset();
    for (const each of [gapBlocks, gapSeconds]) each.reset();
    try {
      for (const status of await deps.getChainStatuses()) setChain(status);
      storeUp.set(1);
    } catch {
      // The other metrics are needed most when the database is away.
      storeUp.set(0);
    }
    return register.metrics();
  }

  return { read, contentType: register.contentType };
}

function addCounter(source: CounterSource, register: Registry): void {
  new Counter({
    name: source.name,
    help: source.help,
    labelNames: [...source.labels],
    registers: [register],
    collect() {
      this.reset();
      for (const { labels, value } of source.read()) this.inc({ ...labels }, value);
    },
  });
}

function addGauge(source: GaugeSource, register: Registry): void {
  new Gauge({
    name: source.name,
    help: source.help,
    labelNames: [...source.labels],
    registers: [register],
    async collect() {
      this.reset();
      const found = await source.read().catch(() => []);
      for (const { labels, value } of found) this.set({ ...labels }, value);
    },
  });
}
