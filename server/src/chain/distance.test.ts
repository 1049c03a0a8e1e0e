import { describe, expect, test } from 'vitest';
import type { ChainClient, Header } from './chainClient.ts';
import { withDistance } from './distance.ts';
import { StateUnavailable } from './rpcError.ts';

const ADDRESS = `0x${'11'.repeat(20)}` as const;

/** A URL at block 1,000 whose reads of state and logs fail with this error. */
function failing(error: Error): ChainClient {
  const fail = async () => {
    throw error;
  };
  const header = async () => ({ number: 1_000 }) as Header;
  return { upstream: 1, header, call: fail, code: fail, logs: fail } as unknown as ChainClient;
}

const eitherWay = () =>
  new StateUnavailable({ upstream: 1, reason: 'unknown-block', mayBePruned: true });

describe('withDistance', () => {
  test('default: the same text is pruned below the head, and unknown near it', async () => {
    const client = withDistance(failing(eitherWay()));
    await client.header('latest');
    await expect(client.code(ADDRESS, 936)).rejects.toMatchObject({
      reason: 'pruned',
      of: 'state',
    });
    await expect(client.code(ADDRESS, 937)).rejects.toMatchObject({ reason: 'unknown-block' });
    await expect(client.code(ADDRESS, 1_001)).rejects.toMatchObject({ reason: 'unknown-block' });
    const range = { fromBlock: 10, toBlock: 1_000, filter: { addresses: [ADDRESS] } };
    await expect(client.logs(range)).rejects.toMatchObject({ reason: 'pruned', of: 'logs' });
  });

  test('behavior: while the head is unknown, a block counts as not yet available', async () => {
    const client = withDistance(failing(eitherWay()));
    await expect(client.code(ADDRESS, 10)).rejects.toMatchObject({ reason: 'unknown-block' });
    const known = withDistance(failing(eitherWay()), 1_000);
    await expect(known.code(ADDRESS, 10)).rejects.toMatchObject({ reason: 'pruned' });
  });

  test('behavior: texts of one class keep it at every distance', async () => {
    const ahead = new StateUnavailable({ upstream: 1, reason: 'unknown-block' });
    await expect(withDistance(failing(ahead), 1_000).code(ADDRESS, 10)).rejects.toBe(ahead);
  });
});
