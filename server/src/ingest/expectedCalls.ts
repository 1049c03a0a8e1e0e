import { SUBSCRIBED_MS } from '../chain/headWait.ts';
import type { AdapterName, ChainConfig } from '../config/config.ts';
import { DAY } from '../domain/time.ts';
import { FINALITY_SECONDS } from './follower.ts';
import { DENSE_BLOCKS } from './read/recent.ts';
import { pauseSeconds } from './rhythm.ts';

/** What an indexer that follows the head is going to ask a chain's nodes, by purpose. */
export interface ExpectedCalls {
  readonly head: number;
  readonly logs: number;
  readonly headers: number;
  readonly state: number;
  readonly finality: number;
  /** For blocks with events, in addition. */
  readonly events: number;
}

export interface FollowedChain {
  readonly chain: Pick<ChainConfig, 'pollSeconds' | 'finality' | 'rpcUrls'>;
  /** Between two blocks, on average. */
  readonly blockSeconds: number;
  readonly liveSeconds: number;
  /** How many requests it takes to read the logs of one range. */
  readonly logRequests: number;
  readonly families: number;
  /** Whether a price feed of the chain is a proxy, whose aggregator is asked for at each head. */
  readonly proxies: boolean;
  readonly siblingSeconds: number;
  readonly adapters: readonly AdapterName[];
  /** Share of the blocks that have events of its vaults. */
  readonly eventShare: number;
}

/** Of ERC-7540 vaults all logs are read, of the others and of feeds those with certain topics: two filters. */
export function logRequestsOf(adapters: readonly AdapterName[], feeds: number): number {
  const whole = adapters.includes('erc7540');
  const others = feeds > 0 || adapters.some((adapter) => adapter !== 'erc7540');
  return Number(whole) + Number(others);
}

/** Vaults are asked twice for a tick: what they say of themselves, and what follows from it. */
const ROUNDS_PER_TICK = 2;
/** A tick's block lies between two, which have to be dated where no other header of the stretch was read. */
const HEADERS_PER_TICK = 2;
/** What was read after the headers is confirmed by reading the last of them again. */
const CONFIRMING_HEADERS = 1;
/** The share price at the block and before it, unless events contain the price. */
const STATES_PER_EVENT = 2;
/** Enough looks to know their share, whatever it was at first. */
const LOOKS = 1_000;

/** In a day. */
export function expectedCalls(followed: FollowedChain): ExpectedCalls {
  const { chain, blockSeconds, liveSeconds, siblingSeconds } = followed;
  const { looks, newHeads } = looksPerDay(chain, blockSeconds);
  const perHead = callsPerHead(followed, DAY / blockSeconds / newHeads);
  const perTick = callsPerTick(followed);
  // A tick belongs to a block: where blocks are rare there is one for each at most.
  const ticks = Math.min(DAY / liveSeconds, newHeads);
  const siblings = Math.max(0, chain.rpcUrls.length - 1) * (DAY / siblingSeconds);
  const tags = typeof chain.finality === 'object' ? 0 : Math.min(DAY / FINALITY_SECONDS, looks);
  return {
    head: looks + siblings,
    logs: newHeads * perHead.logs,
    headers: newHeads * perHead.headers + ticks * perTick.headers,
    state: newHeads * perHead.state + ticks * perTick.state,
    finality: tags,
    events: newHeads * eventHeadShare(followed, newHeads) * callsPerEventHead(followed),
  };
}

/** For a head that is `blocks` above the last one, beside the look at it. */
export function callsPerHead(
  { logRequests, families, proxies }: Pick<FollowedChain, 'logRequests' | 'families' | 'proxies'>,
  blocks: number,
): Pick<ExpectedCalls, 'logs' | 'headers' | 'state'> {
  if (families === 0 && !proxies) return { logs: 0, headers: 0, state: 0 };
  // What was asked after the headers is confirmed by the last of them.
  const confirmed = blocks > 1 && proxies ? 1 : 0;
  return {
    logs: logRequests,
    headers: Math.min(blocks, DENSE_BLOCKS) + confirmed,
    state: proxies ? 1 : 0,
  };
}

/** Calls for a head with events in its new blocks, beyond those for a head without. */
export function callsPerEventHead({ adapters }: Pick<FollowedChain, 'adapters'>): number {
  const readsState = adapters.some((adapter) => adapter !== 'receiver-queue');
  return CONFIRMING_HEADERS + (readsState ? STATES_PER_EVENT : 0);
}

/** A head brings several blocks where polls are farther apart than blocks: one of them is enough. */
function eventHeadShare(
  { blockSeconds, eventShare }: Pick<FollowedChain, 'blockSeconds' | 'eventShare'>,
  newHeads: number,
): number {
  return 1 - (1 - eventShare) ** Math.max(1, DAY / blockSeconds / newHeads);
}

export function callsPerTick({
  families,
}: Pick<FollowedChain, 'families'>): Pick<ExpectedCalls, 'headers' | 'state'> {
  return families === 0
    ? { headers: 0, state: 0 }
    : { headers: HEADERS_PER_TICK, state: ROUNDS_PER_TICK };
}

function looksPerDay(
  { pollSeconds, rpcUrls }: FollowedChain['chain'],
  blockSeconds: number,
): { readonly looks: number; readonly newHeads: number } {
  if (/^wss?:/i.test(rpcUrls[0] ?? '')) {
    const newHeads = DAY / Math.max(blockSeconds, pollSeconds);
    return { looks: Math.max(newHeads, DAY / (SUBSCRIBED_MS / 1000)), newHeads };
  }
  const { seconds, heads } = lookAround(pollSeconds, blockSeconds);
  return { looks: (LOOKS / seconds) * DAY, newHeads: (heads / seconds) * DAY };
}

/** Looks at a chain with regular blocks as the indexer does: how long that takes, and how many looks show a new head. */
function lookAround(
  pollSeconds: number,
  blockSeconds: number,
): { readonly seconds: number; readonly heads: number } {
  let now = 0;
  let heads = 0;
  let seen = { block: -1, at: 0 };
  for (let look = 0; look < LOOKS; look++) {
    const block = Math.floor(now / blockSeconds);
    if (block > seen.block) {
      seen = { block, at: now };
      heads++;
    }
    now += pauseSeconds({ pollSeconds, blockSeconds, sinceSeconds: now - seen.at });
  }
  return { seconds: now, heads };
}
