import { fn, wordAt } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import { findFirstBlock } from '../vaults/recognize/firstBlock.ts';
import { ask, decimalsIn, textIn } from '../vaults/recognize/readContract.ts';
import { InitRefused } from './initRefused.ts';
import type { OpenChain } from './openChains.ts';

/** A price feed that the operator named, after it responded. */
export interface FoundFeed {
  readonly name: string;
  readonly chain: OpenChain;
  readonly address: Address;
  readonly decimals: number;
  /** As in "USDC / USD". */
  readonly description: string | null;
  readonly startBlock: number | null;
}

const latestRoundData = fn('latestRoundData()');
const decimals = fn('decimals()');
const description = fn('description()');
const FIVE_WORDS = 2 + 5 * 64;

export async function findFeed(
  name: string,
  chain: OpenChain,
  address: Address,
): Promise<FoundFeed> {
  const [round, decimalsWord, text] = await ask(chain.look, address, [
    latestRoundData(),
    decimals(),
    description(),
  ]);
  const feedDecimals = decimalsIn(decimalsWord);
  const answer = round && round.length >= FIVE_WORDS ? BigInt.asIntN(256, wordAt(round, 1)) : 0n;
  if (feedDecimals === null || answer <= 0n) {
    throw new InitRefused(
      `${address} on ${chain.name} does not return a price from latestRoundData(): correct --feed ${name}`,
    );
  }
  return {
    name,
    chain,
    address,
    decimals: feedDecimals,
    description: textIn(text),
    startBlock: await findFirstBlock(chain.look, address),
  };
}

/** Returns whether a feed is of this token, by its given name or its description. */
export function isFeedOf(feed: FoundFeed, symbol: string | null): boolean {
  if (symbol === null) return false;
  const own = symbol.toLowerCase();
  const named = feed.name === own || feed.name === `${own.replace(/[^a-z0-9-]/g, '')}-usd`;
  const [base, quote] = (feed.description ?? '').toLowerCase().split('/');
  return named || (base?.trim() === own && quote?.trim() === 'usd');
}
