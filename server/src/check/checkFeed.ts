import { fn, wordAt } from '../chain/abi.ts';
import type { Header } from '../chain/chainClient.ts';
import type { FeedConfig } from '../config/config.ts';
import { ask, decimalsIn, isContract, type Look } from '../vaults/recognize/readContract.ts';
import { type CheckLine, fail, pass } from './line.ts';

const latestRoundData = fn('latestRoundData()');
const decimals = fn('decimals()');
const FIVE_WORDS = 2 + 5 * 64;

/** Checks that a price aggregator returns a positive price that is recent enough. */
export async function checkFeed(
  look: Look,
  feed: FeedConfig & { kind: 'aggregator' },
  options: { readonly head: Header; readonly maxAgeSeconds: number },
): Promise<CheckLine> {
  const { name, chainId, address, startBlock } = feed;
  const { head, maxAgeSeconds } = options;
  const key = `prices.feeds.${name}`;
  if (startBlock > head.number) {
    return fail(`${key}.startBlock`, `${startBlock} is above the head ${head.number}`, 'lower it');
  }
  if (!(await isContract(look, address))) {
    const reason = `${address} on chain ${chainId} has no contract`;
    return fail(`${key}.aggregator`, reason, 'correct the address or the chain');
  }
  const [round, decimalsWord] = await ask(look, address, [latestRoundData(), decimals()]);
  const feedDecimals = decimalsIn(decimalsWord);
  if (feedDecimals === null || !round || round.length < FIVE_WORDS) {
    const reason = `${address} on chain ${chainId} does not support latestRoundData() and decimals()`;
    return fail(`${key}.aggregator`, reason, 'name a price feed with the Chainlink interface');
  }
  if (BigInt.asIntN(256, wordAt(round, 1)) <= 0n) {
    const reason = `${address} on chain ${chainId} returns no price above zero`;
    return fail(`${key}.aggregator`, reason, 'name an active feed');
  }
  const age = head.time - Number(wordAt(round, 3));
  if (age > maxAgeSeconds) {
    const reason = `its last price is ${age} s old at the head, and prices.maxAgeSeconds is ${maxAgeSeconds}`;
    return fail(`${key}.aggregator`, reason, 'name an active feed, or raise prices.maxAgeSeconds');
  }
  return pass(`feed:${name} on chain ${chainId}: price with ${feedDecimals} decimals`);
}
