import { createChainLog } from './chainLog.ts';
import type { ChainLoopDeps } from './chainLoop.ts';
import type { ChainsBehind } from './chainsBehind.ts';
import type { IngestCounts } from './counts.ts';
import type { IngestLog } from './ingestLog.ts';
import { findTvlJumps } from './tvlJumps.ts';

/** Logs and counts the work of one chain's loop. */
export type LoopLog = Pick<
  ChainLoopDeps,
  | 'onStep'
  | 'onThinned'
  | 'onNotThinned'
  | 'onSpaceGivenBack'
  | 'onSpaceNotGivenBack'
  | 'onReorg'
  | 'onLeftOut'
  | 'onFilled'
  | 'onUnreachable'
  | 'onError'
>;

export function createLoopLog(deps: {
  readonly log: IngestLog;
  readonly counts: IngestCounts;
  readonly chainId: number;
  readonly behind: ChainsBehind;
  readonly slugOf: (familyId: number) => string | undefined;
}): LoopLog {
  const { log, counts, chainId, behind, slugOf } = deps;
  const chainLog = createChainLog(log, chainId);
  return {
    onStep(step, progress, made) {
      const { logs, to } = step;
      counts.add('logs', chainId, logs);
      counts.add('steps', chainId, 1);
      chainLog.step(step);
      if (progress.state === 'live' && behind.atHead(chainId)) {
        log.info({ chainId, block: to.number }, 'the chain is up to date');
      }
      for (const jump of findTvlJumps(made)) {
        counts.add('jumps', chainId, 1);
        log.warn(jump, 'TVL jumped more than tenfold between two ticks');
      }
      if (logs > 0 && progress.state !== 'live') {
        log.info({ chainId, block: to.number, logs }, 'indexed');
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
    onLeftOut(block) {
      counts.add('leftOut', chainId, 1);
      log.warn(
        { chainId, block },
        'the RPC endpoint had omitted logs of a block: reading it again',
      );
    },
    onFilled({ familyId, fromBlock, toBlock }) {
      log.info({ chainId, family: slugOf(familyId), fromBlock, toBlock }, 'a gap is filled');
    },
    onUnreachable(text) {
      counts.add('failures', chainId, 1);
      chainLog.unreachable(text);
    },
    onError: (err) => log.error({ chainId, err }, 'indexing stopped; restarting'),
  };
}
