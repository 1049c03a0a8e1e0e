import type { RpcCalls } from '../chain/rpcCalls.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { ChainConfig, Config } from '../config/config.ts';
import { chainProgress } from '../store/chains/progress.ts';
import type { Store } from '../store/store.ts';
import { createAlertWake } from './alerts/alertWake.ts';
import type { PostMessage } from './alerts/postMessage.ts';
import { runMessages } from './alerts/sendMessages.ts';
import { familiesToWatch } from './alerts/watchedRules.ts';
import { createChainLog } from './chainLog.ts';
import { runChain } from './chainLoop.ts';
import type { MadeTicks } from './commit.ts';
import { createCounts, type IngestCounts } from './counts.ts';
import type { IngestLog } from './ingestLog.ts';
import { openUrlLimits } from './learnedLimits.ts';
import { runMarketData } from './marketData/marketDataLoop.ts';
import type { Step } from './read/step.ts';
import { registerSources } from './register.ts';

export interface Indexer {
  readonly counts: IngestCounts;
  /** Each indexed chain, and whether this process is its leader now. */
  leading(): { readonly chain: ChainConfig; readonly leads: boolean }[];
  /** Resolves once this process has indexed every chain up to its head. */
  readonly caughtUp: Promise<void>;
  /** Runs until the signal. A failing chain does not end it. */
  run(signal: AbortSignal): Promise<void>;
}

/** A TVL that changes by this factor is usually an error. It is stored and logged. */
const JUMP = 10n;

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
  const leading = new Map<number, boolean>();
  const behind = new Set(chains.map(({ chainId }) => chainId));
  let catchUp: () => void;
  const caughtUp = new Promise<void>((resolve) => {
    catchUp = resolve;
    if (behind.size === 0) resolve();
  });
  return {
    counts,
    caughtUp,
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
    allRegistered: Awaited<ReturnType<typeof registerSources>>,
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
    const chainLog = createChainLog(log, chainId);
    const slugs = new Map(
      allRegistered.flatMap(({ source, familyId }) =>
        source.kind === 'family' ? [[familyId!, source.family.slug] as const] : [],
      ),
    );
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
        alerts: {
          watched,
          wake,
          readChainIds: chains.map((one) => one.chainId),
          onNews({ name, family, chainId: of, status, value, at }) {
            const fields = { alert: name, family, chainId: of, value: value.toString(), at };
            if (status === 'fired') log.warn(fields, 'an alert fired');
            else log.info(fields, 'an alert cleared');
          },
          onCorrected({ name, family, chainId: of }) {
            const fields = { alert: name, family, chainId: of };
            log.warn(fields, 'an alert was retracted: data that arrived late changed its values');
          },
          onError: (err) =>
            log.warn({ chainId, err }, 'alerts could not be evaluated; trying again'),
        },
      }),
      now,
      mayReadPast: () => mayReadPast(chainId),
      signal,
      bound: genesis !== null,
      onLead(leads) {
        leading.set(chainId, leads);
        if (leads) log.info({ chainId }, 'this process indexes the chain');
      },
      onStep(step, progress, made) {
        counts.add('logs', chainId, step.logs);
        counts.add('steps', chainId, 1);
        chainLog.step(step);
        if (progress.state === 'live' && behind.delete(chainId)) {
          log.info({ chainId, block: step.to.number }, 'the chain is up to date');
          if (behind.size === 0) catchUp();
        }
        // Historical blocks never fire an alert.
        if (step.to.number === progress.head) wake.touch(familiesIn(step, made));
        reportJumps(chainId, made);
        if (step.logs > 0 && progress.state !== 'live') {
          log.info({ chainId, block: step.to.number, logs: step.logs }, 'indexed');
        }
      },
      onThinned: (rows) => log.info({ chainId, rows }, 'old ticks were thinned'),
      onNotThinned: (err) => log.warn({ chainId, err }, 'old ticks could not be thinned; retrying'),
      onSpaceGivenBack: () =>
        log.info({ chainId }, 'a partition of old ticks was copied without its free space'),
      onSpaceNotGivenBack: (err) =>
        log.warn({ chainId, err }, 'the space of old ticks could not be given back; retrying'),
      onReorg(to, from) {
        counts.add('reorgs', chainId, 1);
        log.warn(
          { chainId, to, from },
          'a reorg replaced blocks: rows above the common block were rolled back',
        );
      },
      onRetracted(retracted) {
        for (const { name, familyId } of retracted) {
          const fields = { alert: name, family: slugs.get(familyId), chainId };
          log.warn(fields, 'an alert was retracted: a reorg removed the blocks that it was about');
        }
      },
      onLeftOut(block) {
        counts.add('leftOut', chainId, 1);
        log.warn(
          { chainId, block },
          'the RPC endpoint had omitted logs of a block: reading it again',
        );
      },
      onFilled(gap) {
        const { fromBlock, toBlock } = gap;
        log.info(
          { chainId, family: slugs.get(gap.familyId), fromBlock, toBlock },
          'a gap is filled',
        );
      },
      onUnreachable(text) {
        counts.add('failures', chainId, 1);
        chainLog.unreachable(text);
      },
      onError: (err) => log.error({ chainId, err }, 'indexing stopped; restarting'),
    }).finally(limits.close);
  }

  function reportJumps(chainId: number, made: MadeTicks): void {
    for (const { family, ticks } of made) {
      for (let i = 1; i < ticks.length; i++) {
        const before = ticks[i - 1]!.tvl;
        const { tvl, at } = ticks[i]!;
        if (before === 0n || tvl === 0n || (tvl <= before * JUMP && before <= tvl * JUMP)) continue;
        counts.add('jumps', chainId, 1);
        log.warn({ family: family.slug, at }, 'TVL jumped more than tenfold between two ticks');
      }
    }
  }
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
