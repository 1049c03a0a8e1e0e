import { type CheckLine, pass } from '../check/line.ts';
import type { Config } from '../config/config.ts';
import { DAY } from '../domain/time.ts';
import type { RunningServer } from './runningServer.ts';

/** A shorter time says too little of a day, and its first minutes read the past. */
const LONG_ENOUGH_SECONDS = 600;

/** Calls to the nodes of each chain in a day: as measured where a server runs, else what asking for the head takes. */
export function examineCalls(
  { chains }: Pick<Config, 'chains'>,
  running: RunningServer | undefined,
  now: number,
): CheckLine[] {
  const read = chains.filter(({ rpcUrls }) => rpcUrls.length > 0);
  return read.map(({ chainId, name, pollSeconds }) => {
    const key = `calls: chain ${chainId} (${name})`;
    const since = running === undefined ? 0 : now - running.startedAt;
    const count = running?.calls.get(chainId);
    if (count === undefined || since < LONG_ENOUGH_SECONDS) {
      const least = Math.ceil(DAY / pollSeconds);
      return pass(
        `${key}: at least ${least} a day, as the head is asked for every ${pollSeconds} s`,
      );
    }
    const perDay = Math.round((count / since) * DAY);
    return pass(`${key}: ${count} in ${Math.round(since)} s, so ${perDay} a day`);
  });
}
