import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { findAway, type StoreHealth } from '../store/health.ts';
import { addHistogram, type HistogramSource } from './histogram.ts';
import type { ChainState, ChainStatus } from './status.ts';

/** A count that another part of the server maintains; read at each scrape. */
export interface CounterSource {
  /** In snake case, ending in _total. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  read(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/** A value that is read at each scrape; a reader that fails leaves no sample. */
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

/** Metrics of the process, the chains, and the counters that are passed in. */
export function createMetrics(deps: {
  readonly version: string;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Why the database is unavailable; absent: unknown. */
  readonly health?: Pick<StoreHealth, 'outage'>;
  readonly counters?: readonly CounterSource[];
  readonly gauges?: readonly GaugeSource[];
  readonly histograms?: readonly HistogramSource[];
}): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const labelNames = ['chain_id', 'chain'] as const;
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
  const head = gauge('assay_chain_head_block', 'Newest block that the RPC endpoint reports.');
  const finalized = gauge(
    'assay_chain_finalized_block',
    'Newest block that a reorg can no longer replace.',
  );
  const indexed = gauge('assay_chain_indexed_block', 'Newest indexed block.');
  const lag = gauge('assay_chain_lag_seconds', 'Age of the newest indexed block.');
  const halted = [
    gauge('assay_chain_halted', 'Halted families and feeds of the chain; /v1/status lists them.'),
    gauge('assay_chain_held_back', 'Deprecated: assay_chain_halted has the same value.'),
  ];
  const state = new Gauge({
    name: 'assay_chain_state',
    help: '1 for the current state of the chain.',
    labelNames: [...labelNames, 'state'] as const,
    registers,
  });
  const ofGaps = [...labelNames, 'family', 'reason'] as const;
  const gapBlocks = new Gauge({
    name: 'assay_gap_blocks',
    help: 'Blocks in recorded gaps of a family; reason is the data that no RPC URL has (state or logs).',
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
    help: '1 if the primary database is reachable, 0 if not. A replica does not count.',
    registers,
  });
  const info = new Gauge({
    name: 'assay_info',
    help: 'The version of the server, as a label.',
    labelNames: ['version'] as const,
    registers,
  });
  info.set({ version: deps.version }, 1);
  for (const source of deps.counters ?? []) addCounter(source, register);
  for (const source of deps.gauges ?? []) addGauge(source, register);
  for (const source of deps.histograms ?? []) addHistogram(source, register);

  function setChain(status: ChainStatus): void {
    const labels = { chain_id: String(status.chainId), chain: status.name };
    // An unknown value has no sample: a zero would be read as a block.
    if (status.head !== null) head.set(labels, status.head);
    if (status.finalized !== null) finalized.set(labels, status.finalized);
    if (status.indexedBlock !== null) indexed.set(labels, status.indexedBlock);
    if (status.lagSeconds !== null) lag.set(labels, status.lagSeconds);
    const count = status.sources.filter((one) => one.state === 'halted').length;
    for (const each of halted) each.set(labels, count);
    for (const { family, reason, ...gap } of status.sources.flatMap(({ gaps }) => gaps)) {
      gapBlocks.inc({ ...labels, family, reason }, gap.toBlock - gap.fromBlock + 1);
      gapSeconds.inc({ ...labels, family, reason }, gap.toTime - gap.fromTime);
    }
    for (const name of STATES) {
      state.set({ ...labels, state: name }, name === status.state ? 1 : 0);
    }
  }

  async function read(): Promise<string> {
    for (const each of [head, finalized, indexed, lag, ...halted, state]) each.reset();
    for (const each of [gapBlocks, gapSeconds]) each.reset();
    try {
      for (const status of await deps.getChainStatuses()) setChain(status);
      storeUp.set(deps.health !== undefined && findAway(deps.health) !== undefined ? 0 : 1);
    } catch {
      // The other metrics are needed most while the database is unavailable.
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
      // Without labels, a reset leaves a zero, which would be read as a value.
      this.remove({});
      const found = await source.read().catch(() => []);
      for (const { labels, value } of found) this.set({ ...labels }, value);
    },
  });
}
