import type { Answer, Log } from './call.ts';
import { toQuantity } from './call.ts';
import type { Rejection } from './limits.ts';
import type { Profile, ProviderNode } from './profile.ts';
import type { Upstream } from './upstream.ts';

/** Rejects log responses with too many results, and counts them: every n-th suggested range is useless. */
export function createResultLimit({ results }: Pick<Profile, 'results'>) {
  let rejected = 0;
  return {
    check(logs: readonly Log[], range: { from: number; to: number }): Rejection | null {
      if (results === null || logs.length <= results.max) return null;
      rejected += 1;
      const every = results.uselessHintEvery;
      const isUseless = every !== undefined && rejected % every === 0;
      const fitting = isUseless ? range.to : findFitting(logs, range.from, results.max);
      return {
        form: results.form,
        values: {
          ...{ from: range.from, to: range.to, fitting, max: results.max },
          ...{ hexFrom: toQuantity(range.from), hexFitting: toQuantity(fitting) },
        },
      };
    },
  };
}

/** Returns the logs with the `blockTimestamp` that the endpoint writes. */
export async function stampLogs(
  answer: Answer,
  node: ProviderNode,
  upstream: Upstream,
): Promise<Answer> {
  const logs = answer.result as readonly Log[];
  if (node.logTimestamps === undefined) return answer;
  if (node.logTimestamps === 'zero') {
    return { ...answer, result: logs.map((log) => ({ ...log, blockTimestamp: '0x0' })) };
  }
  const times = await upstream.times(logs.map(({ blockHash }) => blockHash));
  return {
    ...answer,
    result: logs.map((log) => {
      const blockTimestamp = times.get(log.blockHash);
      return blockTimestamp === undefined ? log : { ...log, blockTimestamp };
    }),
  };
}

/** The last block up to which the logs fit; the first block where even its own logs do not. */
function findFitting(logs: readonly Log[], from: number, max: number): number {
  return Math.max(from, Number(logs[max]!.blockNumber) - 1);
}
