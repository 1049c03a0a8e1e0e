import { worth } from '../../domain/amount.ts';
import { toIso } from '../../domain/time.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { MoveType } from '../../domain/wallet/accounting/moveType.ts';
import {
  type Flow,
  flowsOf,
  type Statement,
  type StatementEntry,
} from '../../domain/wallet/accounting/statement.ts';
import { performanceOf } from '../../domain/wallet/performance.ts';
import type { Position } from '../../domain/wallet/position.ts';
import type { AccountMove } from '../../store/movements/accounting.ts';
import type { HeldPrice } from '../../store/prices/read.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import type { StatementFamily } from './statementSchema.ts';

type Entry = StatementEntry<AccountMove>;

/** The share prices and the USD price of a family at a time. */
export interface Quote {
  readonly at: number;
  readonly ratioOn: (chainId: number) => Ratio | null;
  readonly price: HeldPrice | null;
}

export interface FamilyFacts {
  readonly slug: string;
  readonly facts: VaultRow;
  readonly statement: Statement<AccountMove>;
  readonly opening: Quote;
  readonly closing: Quote;
  readonly costIncomplete: boolean;
}

/** A family as the response has it. */
export function statementFamily(family: FamilyFacts): StatementFamily {
  const { slug, facts, statement, costIncomplete } = family;
  const { assetDecimals } = facts;
  const { entries } = statement;
  const opening = balanceOf(statement.opening, family.opening, assetDecimals);
  const closing = balanceOf(statement.closing, family.closing, assetDecimals);
  const flows = flowsOf(entries);
  const flow = (type: MoveType) => {
    const own = entries.filter((entry) => entry.type === type);
    return flowText(
      flows[type],
      usdOf(own, ({ move }) => move.assets, assetDecimals),
    );
  };
  return {
    family: slug,
    baseAssetSymbol: facts.assetSymbol,
    baseAssetDecimals: assetDecimals,
    shareSymbol: facts.shareSymbol,
    shareDecimals: facts.shareDecimals,
    opening,
    deposits: flow('deposit'),
    exits: flow('exit'),
    transfersIn: flow('received'),
    transfersOut: flow('sent'),
    rewards: flow('reward'),
    fees: flow('fee'),
    closing,
    realized: (flows.exit.realized + flows.fee.realized).toString(),
    realizedUsd: usdOf(entries, ({ change }) => change.result ?? 0n, assetDecimals),
    unrealizedChange:
      opening.unrealized === null || closing.unrealized === null
        ? null
        : (BigInt(closing.unrealized) - BigInt(opening.unrealized)).toString(),
    costIncomplete,
    entries: entries.map((entry) => entryText(entry, assetDecimals)),
  };
}

function balanceOf(position: Position, { at, ratioOn, price }: Quote, assetDecimals: number) {
  const { sharesBalance, costBasis, currentValue, unrealized } = performanceOf(position, ratioOn);
  return {
    at: toIso(at),
    shares: sharesBalance.toString(),
    cost: costBasis.toString(),
    value: currentValue?.toString() ?? null,
    unrealized: unrealized?.toString() ?? null,
    valueUsd: currentValue === null ? null : inUsd(currentValue, assetDecimals, price),
  };
}

function flowText({ count, shares, assets, cost, realized }: Flow, usd: number | null) {
  return {
    count,
    shares: shares.toString(),
    assets: assets.toString(),
    cost: cost.toString(),
    realized: realized.toString(),
    usd,
  };
}

function entryText({ move, type, change }: Entry, assetDecimals: number) {
  return {
    at: toIso(move.at),
    chainId: move.chainId,
    wallet: checksummed(move.wallet),
    type,
    shares: move.shares.toString(),
    assets: move.assets.toString(),
    cost: change.cost.toString(),
    realized: change.result?.toString() ?? null,
    usd: move.price === null ? null : worth(move.assets, assetDecimals, move.price),
    transactionHash: move.transaction,
  };
}

/** Each amount at the price of its time; null if one that is not zero has none. */
function usdOf(
  entries: readonly Entry[],
  amountOf: (entry: Entry) => bigint,
  assetDecimals: number,
): number | null {
  let sum = 0;
  for (const entry of entries) {
    const usd = inUsd(amountOf(entry), assetDecimals, entry.move.price);
    if (usd === null) return null;
    sum += usd;
  }
  return sum;
}

/** Nothing is worth nothing at any price. */
function inUsd(
  amount: bigint,
  assetDecimals: number,
  price: Parameters<typeof worth>[2] | null,
): number | null {
  if (amount === 0n) return 0;
  return price === null ? null : worth(amount, assetDecimals, price);
}
