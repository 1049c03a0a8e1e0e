import type { RpcCalls } from '../chain/rpcCalls.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { ChainConfig, Config } from '../config/config.ts';
import { chainProgress } from '../store/chains/progress.ts';
import type { Store } from '../store/store.ts';
import { createAlertLog } from './alerts/alertLog.ts';
import { createAlertWake } from './alerts/alertWake.ts';
import type { PostMessage } from './alerts/postMessage.ts';
import { runMessages } from './alerts/sendMessages.ts';
import { familiesToWatch } from './alerts/watchedRules.ts';
import { runChain } from './chainLoop.ts';
import { createChainsBehind } from './chainsBehind.ts';
import type { MadeTicks } from './commit.ts';
import { createCounts, type IngestCounts } from './counts.ts';
import type { IngestLog } from './ingestLog.ts';
import { openUrlLimits } from './learnedLimits.ts';
import { createLoopLog } from './loopLog.ts';
import { runMarketData } from './marketData/marketDataLoop.ts';
import type { Step } from './read/step.ts';
import { type Registered, registerSources } from './register.ts';

export interface Indexer {
  readonly counts: IngestCounts;
  /** Each indexed chain, and whether this process is its leader now. */
  leading(): { readonly chain: ChainConfig; readonly leads: boolean }[];
  /** Resolves once this process has indexed every chain up to its head. */
  readonly caughtUp: Promise<void>;
  /** Runs until the signal. A failing chain does not end it. */
  run(signal: AbortSignal): Promise<void>;
}

/** Indexes every configured chain independently, and reads market data. */
export function createIndexer(deps: {
  readonly config: Config;
  readonly store: Store;
  readonly log: IngestLog;
  /** Unix seconds. */
  readonly now: () => number;
  readonly calls?: RpcCalls;
  /** Whether the call budget of a chain allows historical reads now. Default: always. */
  readonly mayReadPast?: (chainId: number) => boolean;
  /** Sends messages of alerts. Default: they stay queued. */
  readonly post?: PostMessage;
}): Indexer {
  const { config, store, log, now, calls, mayReadPast = () => true, post } = deps;
  const counts = createCounts();
  const chains = config.chains.filter((chain) => chain.rpcUrls.length > 0);
  const chainIds = chains.map(({ chainId }) => chainId);
  const leading = new Map<number, boolean>();
  const behind = createChainsBehind(chainIds);
  return {
    counts,
    caughtUp: behind.caughtUp,
    leading: () => chains.map((chain) => ({ chain, leads: leading.get(chain.chainId) ?? false })),
    run,
  };

  async function run(signal: AbortSignal): Promise<void> {
    const registered = await registerSources(store, config);
    const loops = chains.map((chain) => runOne(chain, registered, signal));
    const { alerts } = config;
    await Promise.all([
      ...loops,
      runMarketData({ config, store, log, now, signal }),
      ...(alerts && post
        ? [runMessages({ store, alerts, chains: config.chains, log, now, signal, post })]
        : []),
    ]);
  }

  async function runOne(
    chain: ChainConfig,
    allRegistered: readonly Registered[],
    signal: AbortSignal,
  ): Promise<void> {
    const { chainId } = chain;
    // No URL may serve another chain, not even the first one that responds.
    const genesis = (await chainProgress.findGenesis(store, chainId)) ?? null;
    const onCalls = calls?.counter(chainId, 'index');
    const limits = await openUrlLimits(store, chain, now);
    const upstreams = createUpstreams({
      chain,
      genesis,
      onCalls,
      patient: true,
      limits: limits.byUrl,
    });
    signal.addEventListener('abort', () => upstreams.close(), { once: true });
    const slugOf = slugsOf(allRegistered);
    const loopLog = createLoopLog({ log, counts, chainId, behind, slugOf });
    const { onRetracted, ...alertLog } = createAlertLog(log, chainId, slugOf);
    const watched = familiesToWatch(config, allRegistered);
    const wake = createAlertWake();
    await runChain({
      store,
      chain,
      upstreams,
      ticks: config.ticks,
      retention: config.retention,
      maxPriceAge: config.prices.maxAgeSeconds,
      events: config.events,
      chainIds: config.chains.map((one) => one.chainId),
      registered: allRegistered.filter(({ source }) => source.chainId === chainId),
      allRegistered,
      ...(watched.length > 0 && {
        alerts: { watched, wake, readChainIds: chainIds, ...alertLog },
      }),
      now,
      mayReadPast: () => mayReadPast(chainId),
      signal,
      bound: genesis !== null,
      ...loopLog,
      onRetracted,
      onLead(leads) {
        leading.set(chainId, leads);
        if (leads) log.info({ chainId }, 'this process indexes the chain');
      },
      onStep(step, progress, made) {
        loopLog.onStep(step, progress, made);
        // Historical blocks never fire an alert.
        if (step.to.number === progress.head) wake.touch(familiesIn(step, made));
      },
    }).finally(limits.close);
  }
}

function slugsOf(registered: readonly Registered[]): (familyId: number) => string | undefined {
  const slugs = new Map<number, string>();
  for (const { source, familyId } of registered) {
    if (source.kind === 'family') slugs.set(familyId!, source.family.slug);
  }
  return (familyId) => slugs.get(familyId);
}

/** Returns the families with new ticks or events. */
function familiesIn(step: Step, made: MadeTicks): number[] {
  return [
    ...made.filter(({ ticks }) => ticks.length > 0).map(({ family }) => family.familyId),
    ...step.families
      .filter(({ history }) => history.length > 0)
      .map(({ reader }) => reader.familyId),
  ];
}
