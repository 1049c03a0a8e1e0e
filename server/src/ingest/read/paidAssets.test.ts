import { describe, expect, test } from 'vitest';
import { eventTopic } from '../../chain/abi.ts';
import type { ChainClient, RawLog } from '../../chain/chainClient.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import { topicOf } from '../../vaults/assetMoves.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { TRANSFER } from '../../vaults/vaultLogs.ts';
import { createPaidAssets } from './paidAssets.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [WETH, VAULT, ALICE] = ['1', '2', 'a'].map(address) as [Address, Address, Address];
const TX: Hex = `0x${'7'.repeat(64)}`;
const ETHER = 10n ** 18n;
/** The payment is 1% above the value of the shares: a fee. */
const PRICE = { assets: 100n, shares: 101n };
const place = { blockTime: 100, chainId: 1, blockNumber: 5, logIndex: 3 };

const DEPOSIT: VaultEvent = {
  ...{ kind: 'deposit', place, txHash: TX, sender: ALICE, owner: ALICE },
  ...{ assets: ETHER, shares: ETHER },
};
const WITHDRAW: VaultEvent = {
  ...{ kind: 'withdraw', place, txHash: TX, receiver: ALICE, owner: ALICE },
  ...{ assets: ETHER, shares: ETHER },
};

const log = (topic: Hex, accounts: readonly Address[]): RawLog => ({
  ...{ address: WETH, topics: [topic, ...accounts.map(topicOf)], data: `0x${word(ETHER)}` },
  ...{ blockNumber: 5, blockHash: TX, transactionHash: TX, logIndex: 1, blockTime: 100 },
});
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const wrapped = eventTopic('event Deposit(address indexed dst, uint256 wad)');
const unwrapped = eventTopic('event Withdrawal(address indexed src, uint256 wad)');

/** Returns the event's final amounts when the block has these logs of the asset. */
async function counted(event: VaultEvent, logs: readonly RawLog[]) {
  const vault = { asset: WETH, found: { severalAssets: true } } as unknown as VaultOnChain;
  const accounts = {
    vaults: new Set([VAULT]),
    custody: new Set<Address>(),
    routers: new Set<Address>(),
  };
  const client = {
    logs: async ({ filter }: Parameters<ChainClient['logs']>[0]) =>
      logs.filter(({ topics }) =>
        (filter.topics ?? []).every((any, i) => any === null || any.includes(topics[i]!)),
      ),
  } as unknown as ChainClient;
  const paid = createPaidAssets(vault, accounts, null, false);
  const doubted = await paid.check([event], { client, concurrency: 1 });
  const [settled] = doubted.settle(() => PRICE);
  return {
    assets: (settled as typeof DEPOSIT & { assets: bigint }).assets,
    notices: doubted.notices(),
  };
}

describe('createPaidAssets', () => {
  test('default: the moved amount is the payment', async () => {
    const paid = { assets: ETHER, notices: [] };
    expect(await counted(DEPOSIT, [log(TRANSFER, [ALICE, VAULT])])).toEqual(paid);
    expect(await counted(WITHDRAW, [log(TRANSFER, [VAULT, ALICE])])).toEqual(paid);
  });

  test('behavior: native coin that the vault wraps or unwraps is the base asset', async () => {
    const paid = { assets: ETHER, notices: [] };
    expect(await counted(DEPOSIT, [log(wrapped, [VAULT])])).toEqual(paid);
    expect(await counted(WITHDRAW, [log(unwrapped, [VAULT])])).toEqual(paid);
  });

  test('behavior: without any of it, the amount is in another asset', async () => {
    for (const event of [DEPOSIT, WITHDRAW]) {
      const { assets, notices } = await counted(
        event,
        [log(wrapped, [ALICE])].slice(0, event === DEPOSIT ? 1 : 0),
      );
      expect(assets).toBeNull();
      expect(notices).toMatchObject([{ code: 'other-asset' }]);
    }
  });
});
