import {
  getPendingDeposits,
  getPendingRedeems,
  type PendingDeposit,
  type PendingDeposits,
  type PendingRedeem,
  type PendingRedeems,
} from '@assay/client';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
import { walletPage } from './read/pages.ts';
import { defineRead, needed } from './read/readCommand.ts';
import { readWallet, WALLET_FLAGS } from './read/wallet.ts';

interface Pending {
  readonly redeems: PendingRedeems;
  readonly deposits: PendingDeposits;
  readonly nameOf: NameOfChain;
}

/** A pending or claimable deposit or redemption in one vault. */
type Row =
  | ({ readonly kind: 'exit' } & PendingRedeem)
  | ({ readonly kind: 'deposit' } & PendingDeposit);

export const command = defineRead({
  usage: 'pending WALLET',
  details: 'Shows pending and claimable redemptions and deposits, read live from the chains.',
  examples: ['pending 0x…', 'pending 0x… --family svcusd --json'],
  flags: WALLET_FLAGS,
  argument: 'WALLET',
  read: (flags, wallet) => readWallet(flags, needed(wallet, 'wallet', 'pending 0x…')),
  family: ({ family }) => family,
  page: ({ walletAddress, family }) => walletPage(walletAddress, { family }),
  async ask(client, { walletAddress, family }): Promise<Pending> {
    const asked = { walletAddress, ...(family !== undefined && { family }) };
    const [redeems, deposits, nameOf] = await Promise.all([
      getPendingRedeems(client, asked),
      getPendingDeposits(client, asked),
      getChainNames(client),
    ]);
    return { redeems, deposits, nameOf };
  },
  json: ({ redeems, deposits }) => ({ redeems, deposits }),
  csv: (pending) =>
    renderCsv<Row>(
      [
        { name: 'kind', value: ({ kind }) => kind },
        { name: 'family', value: ({ family }) => family },
        { name: 'chainId', value: ({ chainId }) => chainId },
        { name: 'vault', value: ({ vault }) => vault },
        { name: 'asset', value: ({ baseAssetSymbol }) => baseAssetSymbol },
        { name: 'waiting', value: (row) => exactAmount(waiting(row), row.baseAssetDecimals) },
        {
          name: 'waitingShares',
          value: (row) => exactAmount(waitingShares(row), row.shareDecimals),
        },
        {
          name: 'claimable',
          value: (row) => exactAmount(row.claimableAssets, row.baseAssetDecimals),
        },
        {
          name: 'claimableShares',
          value: (row) => exactAmount(row.claimableShares, row.shareDecimals),
        },
      ],
      rowsOf(pending),
    ),
  show(pending, screen) {
    const { nameOf, redeems, deposits } = pending;
    const rows = rowsOf(pending);
    const unread = new Set([...redeems.incompleteChains, ...deposits.incompleteChains]);
    const note = [...unread]
      .sort((a, b) => a - b)
      .map(nameOf)
      .join(', ');
    return [
      ...(rows.length === 0
        ? ['no pending deposits or redemptions']
        : renderTable<Row>(
            [
              { title: 'KIND', value: ({ kind }) => kind },
              { title: 'FAMILY', value: ({ family }) => family, narrow: 8 },
              { title: 'CHAIN', value: ({ chainId }) => nameOf(chainId) },
              {
                title: 'WAITING',
                value: (row) =>
                  `${amountText(waiting(row), row.baseAssetDecimals)} ${row.baseAssetSymbol}`,
                right: true,
              },
              {
                title: 'SHARES',
                value: (row) => amountText(waitingShares(row), row.shareDecimals),
                right: true,
                spare: 1,
              },
              {
                title: 'CLAIMABLE',
                value: (row) => amountText(row.claimableAssets, row.baseAssetDecimals),
                right: true,
              },
              { title: 'VAULT', value: ({ vault }) => vault, spare: 2, narrow: 11, middle: true },
            ],
            rows,
            screen,
          )),
      ...(note === '' ? [] : ['', screen.style.dim(`not read: ${note}`)]),
    ];
  },
});

function rowsOf({ redeems, deposits }: Pending): Row[] {
  return [
    ...redeems.redeems.map((row): Row => ({ kind: 'exit', ...row })),
    ...deposits.deposits.map((row): Row => ({ kind: 'deposit', ...row })),
  ];
}

/** The assets deposited, or the current value of the shares to redeem. */
function waiting(row: Row): string {
  return row.kind === 'exit' ? row.currentAssets : row.assets;
}

function waitingShares(row: Row): string | null {
  return row.kind === 'exit' ? row.shares : null;
}
