import { describe, expect, test } from 'vitest';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { getCustodyHoldings } from './custodyHoldings.ts';
import type { DeploymentReads } from './deployment.ts';
import type { ShareTransfer } from './vaultLogs.ts';

const [VAULT, QUEUE, HELPER, ROUTER] = [address('a0'), address('b0'), address('b1'), address('c0')];
const [ALICE, BOB, CAROL, FEES] = [address('01'), address('02'), address('03'), address('04')];

function address(end: string): Address {
  return `0x${end.padStart(40, '0')}`;
}

type Move = readonly [from: Address, to: Address, value: bigint];

/** One transaction per list, each in a separate block, from block 1 on. */
function transfersOf(transactions: readonly (readonly Move[])[]): ShareTransfer[] {
  return transactions.flatMap((moves, i) =>
    moves.map(([from, to, value]) => ({
      block: i + 1,
      transaction: `0x${i + 1}` as Hex,
      from,
      to,
      value,
    })),
  );
}

function holdings(
  shares: readonly (readonly Move[])[],
  payments: readonly (readonly Move[])[] = [],
  block = 100,
) {
  const chain = {
    chainId: 1,
    role: 'settlement' as const,
    address: VAULT,
    vaults: [],
    startBlock: 0,
    routers: [ROUTER],
    custody: [QUEUE, HELPER],
  };
  const logs = {
    transfers: transfersOf(shares),
    payments: transfersOf(payments),
    requests: [],
    topics: new Map(),
  };
  const { entries, unexplained } = getCustodyHoldings(
    { chain, logs } as unknown as DeploymentReads,
    block,
  );
  return { entries: Object.fromEntries(entries), unexplained };
}

describe('transferBook', () => {
  test('default: wallets that sent shares there own them, minus returned shares', () => {
    const moves: Move[][] = [
      [[ALICE, QUEUE, 30n]],
      [[BOB, QUEUE, 10n]],
      [[QUEUE, HELPER, 40n]],
      [[HELPER, ALICE, 5n]],
    ];
    expect(holdings(moves)).toEqual({ entries: { [ALICE]: 25n, [BOB]: 10n }, unexplained: 0n });
    expect(holdings(moves, [], 1)).toEqual({ entries: { [ALICE]: 30n }, unexplained: 0n });
  });

  test('behavior: burned shares belonged to the paid wallets', () => {
    const shares: Move[][] = [
      [[ALICE, QUEUE, 30n]],
      [[BOB, QUEUE, 10n]],
      [
        [QUEUE, ZERO_ADDRESS, 10n],
        [QUEUE, ZERO_ADDRESS, 20n],
      ],
    ];
    const payments: Move[][] = [
      [],
      [],
      [
        [VAULT, BOB, 11n],
        [VAULT, ALICE, 22n],
      ],
    ];
    expect(holdings(shares, payments)).toEqual({ entries: { [ALICE]: 10n }, unexplained: 0n });
  });

  test('behavior: without a payment, the earliest senders come first', () => {
    const shares: Move[][] = [
      [[ALICE, QUEUE, 30n]],
      [[BOB, QUEUE, 10n]],
      [[QUEUE, ZERO_ADDRESS, 35n]],
    ];
    expect(holdings(shares)).toEqual({ entries: { [BOB]: 5n }, unexplained: 0n });
  });

  test('behavior: through a router', () => {
    const shares: Move[][] = [
      [
        [ALICE, ROUTER, 30n],
        [ROUTER, QUEUE, 30n],
      ],
    ];
    expect(holdings(shares).entries).toEqual({ [ALICE]: 30n });
  });

  test('behavior: shares that no wallet sent', () => {
    expect(holdings([[[ZERO_ADDRESS, QUEUE, 7n]]])).toEqual({ entries: {}, unexplained: 7n });
  });

  test('behavior: payments in parts, and a fee to another account', () => {
    const brought: Move[][] = [[[CAROL, QUEUE, 7n]], [[ALICE, QUEUE, 30n]], [[BOB, QUEUE, 10n]]];
    const burns: Move[] = [
      [QUEUE, ZERO_ADDRESS, 20n],
      [QUEUE, ZERO_ADDRESS, 5n],
    ];
    const payments: Move[] = [
      [VAULT, ALICE, 12n],
      [VAULT, ALICE, 8n],
      [VAULT, FEES, 1n],
      [VAULT, BOB, 2n],
      [VAULT, BOB, 3n],
    ];
    expect(holdings([...brought, burns], [[], [], [], payments])).toEqual({
      entries: { [CAROL]: 7n, [ALICE]: 10n, [BOB]: 5n },
      unexplained: 0n,
    });
  });
});
