import { SUBSCRIBED_MS } from '../chain/headWait.ts';
import type { AdapterName, ChainConfig } from '../config/config.ts';
import { DAY } from '../domain/time.ts';
import { FINALITY_SECONDS } from './follower.ts';
import { DENSE_BLOCKS } from './read/recent.ts';
import { pauseSeconds } from './rhythm.ts';

/** Estimated RPC calls of an indexer at the head of a chain, by purpose. */
export interface ExpectedCalls {
  readonly head: number;
  readonly logs: number;
  readonly headers: number;
  readonly state: number;
  readonly finality: number;
  /** Extra calls for blocks with events. */
  readonly events: number;
}

export interface FollowedChain {
  readonly chain: Pick<ChainConfig, 'pollSeconds' | 'finality' | 'rpcUrls'>;
  /** Average block interval. */
  readonly blockSeconds: number;
  readonly liveSeconds: number;
  /** Requests needed to read the logs of one range. */
  readonly logRequests: number;
  readonly families: number;
  /** Requests needed to read the states of all families at one block. */
  readonly stateRequests: number;
  /** Whether a price feed of the chain is a proxy, whose aggregator is read at each head. */
  readonly proxies: boolean;
  readonly siblingSeconds: number;
  readonly adapters: readonly AdapterName[];
  /** Share of the blocks that have events of its vaults. */
  readonly eventShare: number;
}

/** Headers of the two blocks around a tick, unless the range has them. */
const HEADERS_PER_TICK = 2;
/** The last header is read again, to confirm reads after the headers. */
const CONFIRMING_HEADERS = 1;
/** The share price at the block and before it, unless events contain the price. */
const STATES_PER_EVENT = 2;
/** Number of simulated polls, enough for a stable share. */
const LOOKS = 1_000;

/** Returns the calls per day. */
export function expectedCalls(followed: FollowedChain): ExpectedCalls {
  const { chain, blockSeconds, liveSeconds, siblingSeconds } = followed;
  const { looks, newHeads } = looksPerDay(chain, blockSeconds);
  const perHead = callsPerHead(followed, DAY / blockSeconds / newHeads);
  const perTick = callsPerTick(followed);
  // With rare blocks, there is at most one tick per block.
  const ticks = Math.min(DAY / liveSeconds, newHeads);
  const siblings = Math.max(0, chain.rpcUrls.length - 1) * (DAY / siblingSeconds);
  const tags = typeof chain.finality === 'object' ? 0 : Math.min(DAY / FINALITY_SECONDS, looks);
  return {
    head: looks + siblings,
    logs: newHeads * perHead.logs,
    headers: newHeads * perHead.headers + ticks * perTick.headers,
    state: newHeads * perHead.state + ticks * perTick.state,
    finality: tags,
    events: eventHeadShare(followed, newHeads) * callsForEvents(followed, newHeads, ticks),
  };
}

/** Calls for a head that is `blocks` above the last one, besides the poll itself. */
export function callsPerHead(
  { logRequests, families, proxies }: Pick<FollowedChain, 'logRequests' | 'families' | 'proxies'>,
  blocks: number,
): Pick<ExpectedCalls, 'logs' | 'headers' | 'state'> {
  if (families === 0 && !proxies) return { logs: 0, headers: 0, state: 0 };
  // The last header is read again, to confirm reads after the headers.
  const confirmed = blocks > 1 && proxies ? 1 : 0;
  return {
    logs: logRequests,
    headers: Math.min(blocks, DENSE_BLOCKS) + confirmed,
    state: proxies ? 1 : 0,
  };
}

/** Returns the extra calls for a head with events in its new blocks. */
export function callsPerEventHead({ adapters }: Pick<FollowedChain, 'adapters'>): number {
  const readsState = adapters.some((adapter) => adapter !== 'receiver-queue');
  return CONFIRMING_HEADERS + (readsState ? STATES_PER_EVENT : 0);
}

/** If all heads had events. The calls for a tick include the header that confirms its head. */
function callsForEvents(
  followed: Pick<FollowedChain, 'adapters'>,
  newHeads: number,
  ticks: number,
): number {
  return newHeads * callsPerEventHead(followed) - ticks * CONFIRMING_HEADERS;
}

/** Returns the share of heads with events. A head brings several blocks if polls are rarer than blocks. */
function eventHeadShare(
  { blockSeconds, eventShare }: Pick<FollowedChain, 'blockSeconds' | 'eventShare'>,
  newHeads: number,
): number {
  return 1 - (1 - eventShare) ** Math.max(1, DAY / blockSeconds / newHeads);
}

export function callsPerTick({
  families,
  stateRequests,
}: Pick<FollowedChain, 'families' | 'stateRequests'>): Pick<ExpectedCalls, 'headers' | 'state'> {
  return families === 0
    ? { headers: 0, state: 0 }
    : { headers: HEADERS_PER_TICK, state: stateRequests };
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

/** Simulates the polls of a chain with regular blocks. Returns how long they take, and how many return a new head. */
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
