import { gapText } from '../domain/gapText.ts';
import type { IngestLog } from './ingestLog.ts';
import type { Step } from './read/step.ts';

/** Logs the outages of a chain: once when they begin, and once when they end. */
export interface ChainLog {
  /** Logs once for each reason: with several URLs, the reasons alternate. */
  unreachable(text: string): void;
  /** A step was read: logs missing and returned state, for each family. */
  step(step: Pick<Step, 'fromBlock' | 'fromTime' | 'to' | 'families'>): void;
}

export function createChainLog(log: Pick<IngestLog, 'info' | 'warn'>, chainId: number): ChainLog {
  const reasons = new Set<string>();
  /** Families whose state was missing when it was last read. */
  const missing = new Set<number>();

  return {
    unreachable(text) {
      // Which URL failed, and for how long it asks to wait, are no other reasons.
      const reason = text.replaceAll(/\d+/g, '0');
      if (reasons.has(reason)) return;
      reasons.add(reason);
      log.warn({ chainId, reason: text }, 'the chain cannot be read');
    },
    step({ fromBlock, fromTime, to, families }) {
      if (reasons.size > 0) log.info({ chainId }, 'the chain is reachable again');
      reasons.clear();
      for (const { reader, isPruned, ticks } of families) {
        const { familyId } = reader;
        const { slug: family } = reader.source.family;
        if (isPruned && !missing.has(familyId)) {
          missing.add(familyId);
          const blocks = { fromBlock, toBlock: to.number, fromTime, toTime: to.time };
          log.warn({ chainId, family }, gapText({ family, chainId, reason: 'state', ...blocks }));
        }
        // Most steps read no state, which shows nothing.
        if (!isPruned && ticks.length > 0 && missing.delete(familyId)) {
          log.info({ chainId, family, block: to.number }, 'contract state can be read again');
        }
      }
    },
  };
}
