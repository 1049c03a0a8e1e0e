import type { Config, FamilyConfig } from '../../config/config.ts';
import { worth } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import { toIso } from '../../domain/time.ts';
import type { CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import { type LedgerChange, ledgerOf } from '../../domain/wallet/ledger.ts';
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
import { methodParameter, readMethod } from './costMethod.ts';
import { readWallet, walletParameters } from './walletParameters.ts';

/** Describes the hash of a movement. */
export const TRANSACTION =
  'The transaction; null if several transactions of the block may have settled it, and for transfers between wallets that an older version indexed.';

/** What moved, and where. */
export const MOVED = {
  family: Slug('Slug of the vault family.'),
  chainId: ChainId('The chain.'),
  type: OneOf(
    ['deposit', 'exit', 'received', 'sent'],
    'deposit; exit: assets paid for shares; received, sent: shares from or to another wallet.',
  ),
  shares: Amount('Shares received or given up.'),
};

/** What a movement did to the cost of the shares. */
export const EFFECT = {
  baseAssetDecimals: Decimals('Decimals of the base asset.'),
  cost: SignedAmount('Change of the cost basis: negative if cost leaves.'),
  result: Nullable(
    SignedAmount('For an exit: assets received minus the cost of its shares.'),
    'For an exit: assets received minus the cost of its shares; null otherwise.',
  ),
};

const ledgerSchema = List(
  Shape(
    {
      at: DateTime('Time of its block.'),
      ...MOVED,
      assets: Amount(
        'Assets paid in, paid out, or the value of received shares; 0 for sent shares.',
      ),
      ...EFFECT,
      usd: Nullable(
        Usd('Value of `assets` at the price of that time.'),
        'Value of `assets` in US dollars at the price of that time; null if no price was available then.',
      ),
      transactionHash: Nullable(Hash('The transaction.'), TRANSACTION),
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

export interface LedgerDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
}

/** GET /v1/users/{walletAddress}/ledger */
export function ledgerRoute(deps: LedgerDeps): Route {
  const { config } = deps;
  return {
    path: '/v1/users/{walletAddress}/ledger',
    access: 'open',
    operationId: 'getLedger',
    summary: 'Get the ledger of a wallet',
    description:
      "Returns every movement of a wallet's shares with its effect on the cost basis and its result, as in the performance by the same cost method: costs add up to the cost basis, results to the realized profit or loss. Queued shares move when they are paid. Deprecated: `/v1/users/{walletAddress}/movements` returns the same movements newest first, in pages, with `incompleteChains`.",
    deprecated: true,
    tag: 'wallets',
    parameters: [...walletParameters, methodParameter],
    response: ledgerSchema,
    responseExample: example,
    problems: [400, 404, 429],
    maxAge: 5,
    families({ query }) {
      return query.get('family') ?? config.families.map(({ slug }) => slug);
    },
    async answer(request) {
      const method = readMethod(request);
      const { wallet, asked } = readWallet(request, config);
      const entries = (await loadLedger(deps, wallet, asked, method)).map(present);
      return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    },
  };
}

/** A movement with its effect. */
export interface LedgerItem {
  readonly row: LedgerRow;
  readonly change: LedgerChange;
}

/** Loads every movement of a wallet, family by family and in order. */
export async function loadLedger(
  { config, store }: LedgerDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  method: CostMethod,
): Promise<LedgerItem[]> {
  const rows = await getLedgerRows(store.reads, wallet, asked, config.prices.maxAgeSeconds);
  return asked.flatMap(({ slug }) => {
    const own = rows.filter((row) => row.slug === slug);
    const changes = ledgerOf(own, method);
    return own.map((row, i) => ({ row, change: changes[i]! }));
  });
}

/** The value of the assets at the price of that time, in US dollars. */
export function worthInUsd({ assets, assetDecimals, price }: LedgerRow): number | null {
  return price === null ? null : worth(assets, assetDecimals, price);
}

function present({ row, change: { cost, result } }: LedgerItem) {
  return {
    at: toIso(row.at),
    family: row.slug,
    chainId: row.chainId,
    type: row.kind,
    shares: row.shares.toString(),
    assets: row.assets.toString(),
    baseAssetDecimals: row.assetDecimals,
    cost: cost.toString(),
    result: result?.toString() ?? null,
    usd: worthInUsd(row),
    transactionHash: row.transaction,
  };
}
