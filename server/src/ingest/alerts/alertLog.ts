import type { RetractedAlert } from '../../store/alerts/alerts.ts';
import type { IngestLog } from '../ingestLog.ts';
import type { AlertLoopDeps } from './alertLoop.ts';

/** Logs the changes of alerts that the leader of one chain finds. */
export interface AlertLog extends Pick<AlertLoopDeps, 'onNews' | 'onCorrected' | 'onError'> {
  /** A reorg removed the blocks of these alerts. */
  onRetracted(alerts: readonly RetractedAlert[]): void;
}

export function createAlertLog(
  log: IngestLog,
  chainId: number,
  slugOf: (familyId: number) => string | undefined,
): AlertLog {
  return {
    onNews({ name, family, chainId: of, status, value, at }) {
      const fields = { alert: name, family, chainId: of, value: value.toString(), at };
      if (status === 'fired') log.warn(fields, 'an alert fired');
      else log.info(fields, 'an alert cleared');
    },
    onCorrected({ name, family, chainId: of }) {
      const fields = { alert: name, family, chainId: of };
      log.warn(fields, 'an alert was retracted: data that arrived late changed its values');
    },
    onRetracted(retracted) {
      for (const { name, familyId } of retracted) {
        const fields = { alert: name, family: slugOf(familyId), chainId };
        log.warn(fields, 'an alert was retracted: a reorg removed the blocks that it was about');
      }
    },
    onError: (err) => log.warn({ chainId, err }, 'alerts could not be evaluated; trying again'),
  };
}
