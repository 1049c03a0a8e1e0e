import { expect, test } from 'vitest';
import { type GapFacts, gapReason, gapText } from './gapText.ts';

const gap: GapFacts = {
  family: 'svcusd',
  chainId: 8453,
  reason: 'state',
  fromBlock: 11,
  toBlock: 20,
  fromTime: 1_790_000_000,
  toTime: 1_790_100_000,
};

test('default', () => {
  expect(gapText(gap)).toBe(
    'Gap in svcusd on chain 8453: Contract state from 2026-09-21 14:13 to 2026-09-22 18:00 UTC (blocks 11 to 20) is missing: no RPC URL of chain 8453 returned it, so series lack points there and events are valued at the last known share price. Add an archive URL to rpc of chain 8453. The gap is then filled automatically.',
  );
});

test('behavior: missing logs', () => {
  expect(gapReason({ ...gap, reason: 'logs' })).toBe(
    'Logs from 2026-09-21 14:13 to 2026-09-22 18:00 UTC (blocks 11 to 20) are missing: no RPC URL of chain 8453 returned them, so nothing later is indexed. Add a URL with older logs to rpc of chain 8453. The gap is then filled automatically.',
  );
});

test('behavior: a requested fill', () => {
  expect(gapReason({ ...gap, requestedAt: 1_790_200_000 })).toMatch(
    / A fill was requested on 2026-09-23 21:46 UTC\.$/,
  );
});
