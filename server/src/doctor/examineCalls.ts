import type { ChainClient, Header } from '../chain/chainClient.ts';
import { ADDRESSES_PER_FILTER } from '../chain/logReads.ts';
import { SIBLING_MS } from '../chain/pickUpstream.ts';
import { RangeTooWide, RpcError } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import { type CheckLine, pass, warn } from '../check/line.ts';
import type { ChainConfig, Config } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { DAY } from '../domain/time.ts';
import { callsPerEventHead, type ExpectedCalls, expectedCalls } from '../ingest/expectedCalls.ts';
import { expectedFilters, logRequestsOf, withFound } from '../ingest/expectedFilters.ts';
import { openWithoutStore, readTickOnce } from '../ingest/expectedReads.ts';
import { readFeedWords } from '../ingest/feeds/proxy.ts';
import { readLogs } from '../ingest/read/logRanges.ts';
import { type JoinedFilter, joinFilters } from '../ingest/read/reader.ts';
import { sourcesOf } from '../ingest/sources.ts';
import type { RunningServer } from './runningServer.ts';

/** A shorter time is not representative of a day, and its first minutes are the backfill. */
const LONG_ENOUGH_SECONDS = 600;
/** The block time is measured over this many blocks. */
const BLOCKS = 32;
/** Events are counted in at most this many blocks. */
const SAMPLE_BLOCKS = 2_000;
const RAISE = 'raise pollSeconds, use a wss:// URL, or raise callsPerDay';

/** RPC calls of each chain per day: the estimate for an indexer, and the count of a running server. */
export async function examineCalls(
  config: Pick<Config, 'chains' | 'families' | 'prices' | 'ticks'>,
  running: RunningServer | undefined,
  now: number,
): Promise<CheckLine[]> {
  const read = config.chains.filter(({ rpcUrls }) => rpcUrls.length > 0);
  const lines = await Promise.all(
    read.map(async (chain) => {
      const key = `calls: chain ${chain.chainId} (${chain.name})`;
      return [
        await examineExpected(config, chain, key, livePerDay(chain, running, now)),
        examineMeasured(chain, key, running, now),
      ].filter((line) => line !== undefined);
    }),
  );
  return lines.flat();
}

async function examineExpected(
  config: Pick<Config, 'chains' | 'families' | 'prices' | 'ticks'>,
  chain: ChainConfig,
  key: string,
  live: number,
): Promise<CheckLine | undefined> {
  let sent = 0;
  const onCalls = (count: number) => {
    sent += count;
  };
  const upstreams = createUpstreams({ chain, onCalls });
  try {
    const at = await upstreams.pick();
    const { client, head } = at;
    const { chainId, callsPerDay } = chain;
    const families = config.families.filter(({ chains }) =>
      chains.some((one) => one.chainId === chainId),
    );
    const adapters = families.map(({ adapter }) => adapter);
    const sources = sourcesOf(config).filter((source) => source.kind === 'family');
    const { readers, hasAllPools } = await openWithoutStore(
      at,
      sources.filter((source) => source.chainId === chainId),
    );
    const filter = joinFilters(readers);
    const eventShare = await readEventShare(client, head, chain, filter);
    const named = expectedFilters(families, feedsOn(config, chainId), chainId);
    const filters = withFound(named, filter);
    // The first read learns the balances in the pools, which an indexer knows after its first tick.
    await readTickOnce(at, readers);
    const before = sent;
    await readTickOnce(at, readers);
    const stateRequests = sent - before;
    await learnAddressLimit(client, head, [...filters.whole, ...filters.others]);
    const maxAddresses = upstreams.limitsOf(client).addresses ?? ADDRESSES_PER_FILTER;
    const calls = expectedCalls({
      chain,
      adapters,
      eventShare: eventShare ?? 0,
      blockSeconds: await readRhythm(client, head),
      liveSeconds: config.ticks.liveSeconds,
      logRequests: logRequestsOf(filters, maxAddresses),
      families: families.length,
      stateRequests,
      proxies: await hasProxies(config, chainId, client, head.number),
      siblingSeconds: SIBLING_MS / 1000,
    });
    const total = Object.values(calls).reduce((sum, count) => sum + count, live);
    const more =
      eventShare === null
        ? `; each block with events takes ${callsPerEventHead({ adapters })} more`
        : '';
    const older = hasAllPools ? '' : '; without pools declared before the blocks it could read';
    const text = `about ${Math.round(total)} a day while following (${byPurpose(calls, live)})${more}${older}`;
    if (callsPerDay === undefined || total <= callsPerDay) return pass(`${key}: ${text}`);
    return warn(key, `${text}: more than its callsPerDay of ${callsPerDay}`, RAISE);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Another line reports its problem.
    return undefined;
  } finally {
    upstreams.close();
  }
}

/** Sends all addresses in one filter: the client splits it as far as the URL requires, and learns its limit. */
async function learnAddressLimit(
  client: ChainClient,
  { number }: Header,
  addresses: readonly Address[],
): Promise<void> {
  try {
    await client.logs({ fromBlock: number, toBlock: number, filter: { addresses } });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

/** Share of the newest blocks with logs that an indexer reads; null where they cannot be read. */
async function readEventShare(
  client: ChainClient,
  head: Header,
  { logRange }: ChainConfig,
  filter: JoinedFilter,
): Promise<number | null> {
  let width = Math.min(logRange, head.number, SAMPLE_BLOCKS);
  while (width >= 1) {
    try {
      const range = { fromBlock: head.number - width + 1, toBlock: head.number };
      const logs = await readLogs(client, filter, range);
      return new Set(logs.map(({ blockNumber }) => blockNumber)).size / width;
    } catch (error) {
      if (!(error instanceof RangeTooWide)) return null;
      width = Math.min(Math.floor(width / 2), error.maxBlocks ?? width);
    }
  }
  return null;
}

/** Live reads as clients have caused them since the start of a running server. */
function livePerDay(
  { chainId }: ChainConfig,
  running: RunningServer | undefined,
  now: number,
): number {
  const since = running === undefined ? 0 : now - running.startedAt;
  if (since < LONG_ENOUGH_SECONDS) return 0;
  return ((running?.liveCalls.get(chainId) ?? 0) / since) * DAY;
}

/** Seconds between two blocks. */
async function readRhythm(client: ChainClient, head: Header): Promise<number> {
  // The time of a genesis block is not meaningful.
  const first = await client.header(Math.max(1, head.number - BLOCKS));
  if (first === null || first.number >= head.number) return DAY;
  return Math.max(0.1, (head.time - first.time) / (head.number - first.number));
}

async function hasProxies(
  { prices }: Pick<Config, 'prices'>,
  chainId: number,
  client: ChainClient,
  block: number,
): Promise<boolean> {
  const words = feedsOn({ prices }, chainId).map((address) =>
    readFeedWords(client, address, block),
  );
  return (await Promise.all(words)).some(({ aggregator }) => aggregator !== null);
}

function feedsOn({ prices }: Pick<Config, 'prices'>, chainId: number): Address[] {
  return prices.feeds.flatMap((feed) =>
    feed.kind === 'aggregator' && feed.chainId === chainId ? [feed.address] : [],
  );
}

function byPurpose(calls: ExpectedCalls, live: number): string {
  const named = [
    ['head', calls.head],
    ['logs', calls.logs],
    ['headers', calls.headers],
    ['state', calls.state],
    ['finality', calls.finality],
    ['events', calls.events],
    ['live reads', live],
  ] as const;
  return named
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${Math.round(count)}`)
    .join(', ');
}

function examineMeasured(
  { chainId, callsPerDay }: ChainConfig,
  key: string,
  running: RunningServer | undefined,
  now: number,
): CheckLine | undefined {
  const since = running === undefined ? 0 : now - running.startedAt;
  const count = running?.calls.get(chainId);
  if (count === undefined || since < LONG_ENOUGH_SECONDS) return undefined;
  const perDay = Math.round((count / since) * DAY);
  const text = `${count} in ${Math.round(since)} s, so ${perDay} a day`;
  if (callsPerDay === undefined || perDay <= callsPerDay) return pass(`${key}: ${text}`);
  return warn(key, `${text}: more than its callsPerDay of ${callsPerDay}`, RAISE);
}
