import type { Config } from '../../config/config.ts';
import { worth } from '../../domain/amount.ts';
import { toIso } from '../../domain/time.ts';
import { ledgerOf } from '../../domain/wallet/ledger.ts';
import { getLedgerRows, type LedgerRow } from '../../store/movements/ledger.ts';
import type { Store } from '../../store/store.ts';
import type { Route } from '../route.ts';
import {
  Amount,
  ChainId,
  DateTime,
  Decimals,
  Hash,
  List,
  Nullable,
  OneOf,
  Shape,
  SignedAmount,
  Slug,
  Usd,
} from '../schemas.ts';
import { readWallet, walletParameters } from './walletParameters.ts';

const ledgerSchema = List(
  Shape(
    {
      at: DateTime('Time of its block.'),
      family: Slug('Slug of the vault family.'),
      chainId: ChainId('Where it happened.'),
      type: OneOf(
        ['deposit', 'exit', 'received', 'sent'],
        'deposit; exit: assets were paid for shares; received, sent: shares from or to another wallet.',
      ),
      shares: Amount('Shares that came or left.'),
      assets: Amount('Paid in, paid out, or worth of what was received; 0 for what was sent.'),
      baseAssetDecimals: Decimals('Decimals of the base asset.'),
      cost: SignedAmount('What it did to the cost of the shares held: negative where cost left.'),
      result: Nullable(
        SignedAmount('Of an exit: assets received less the cost of its shares.'),
        'Of an exit: assets received less the cost of its shares; null for all else.',
      ),
      usd: Nullable(
        Usd('Value of `assets` at the price of that time.'),
        'Value of `assets` in US dollars at the price of that time; null when none was held then.',
      ),
      transactionHash: Nullable(
        Hash('The transaction.'),
        'The transaction; null for shares sent from wallet to wallet, of which none is kept.',
      ),
    },
    'One movement of shares.',
  ),
  'Oldest first.',
);

const example = [
  {
    at: '2026-01-31T23:55:00.000Z',
    family: 'svcusd',
    chainId: 8453,
    type: 'exit',
    shares: '1000000',
    assets: '1045000',
    baseAssetDecimals: 6,
    cost: '-1000000',
    result: '45000',
    usd: 1.045,
    transactionHash: `0x${'ab'.repeat(32)}`,
  },
];

/** GET /v1/users/{walletAddress}/ledger */
export function ledgerRoute(deps: { readonly config: Config; readonly store: Store }): Route {
  const { config, store } = deps;
  return {
    path: '/v1/users/{walletAddress}/ledger',
    access: 'open',
    operationId: 'getLedger',
    summary: 'Ledger of a wallet',
    description:
      "Beyond the interface: every movement of a wallet's shares with what it did to their average cost and what it brought in, as the performance counts it: costs add up to its cost basis, results to what it realised. Queued shares move when they are paid.",
    tag: 'wallets',
    parameters: walletParameters,
    response: ledgerSchema,
    responseExample: example,
    problems: [400, 404, 429],
    maxAge: 5,
    families({ query }) {
      return query.get('family') ?? config.families.map(({ slug }) => slug);
    },
    async answer(request) {
      const { wallet, asked } = readWallet(request, config);
      const { maxAgeSeconds } = config.prices;
      const rows = await getLedgerRows(store.reads, wallet, asked, maxAgeSeconds);
      const entries = asked.flatMap(({ slug }) =>
        entriesOf(rows.filter((row) => row.slug === slug)),
      );
      return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    },
  };
}

/** Of one family, in order. */
function entriesOf(rows: readonly LedgerRow[]) {
  const changes = ledgerOf(rows);
  return rows.map((row, index) => {
    const { cost, result } = changes[index]!;
    const { price, assets, assetDecimals } = row;
    return {
      at: toIso(row.at),
      family: row.slug,
      chainId: row.chainId,
      type: row.kind,
      shares: row.shares.toString(),
      assets: assets.toString(),
      baseAssetDecimals: assetDecimals,
      cost: cost.toString(),
      result: result?.toString() ?? null,
      usd: price === null ? null : worth(assets, assetDecimals, price),
      transactionHash: row.transaction,
    };
  });
}
