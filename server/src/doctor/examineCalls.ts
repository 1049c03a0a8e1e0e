import type { ChainClient, Header } from '../chain/chainClient.ts';
import { RpcError } from '../chain/rpcError.ts';
import { createUpstreams, SIBLING_MS } from '../chain/upstreams.ts';
import { type CheckLine, pass, warn } from '../check/line.ts';
import type { ChainConfig, Config } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { DAY } from '../domain/time.ts';
import { type ExpectedCalls, expectedCalls, logRequestsOf } from '../ingest/expectedCalls.ts';
import { readFeedWords } from '../ingest/feeds/proxy.ts';
import type { RunningServer } from './runningServer.ts';

/** A shorter time says too little of a day, and its first minutes read the past. */
const LONG_ENOUGH_SECONDS = 600;
/** Of so many newest blocks the rhythm is taken. */
const BLOCKS = 32;
const RAISE = 'raise pollSeconds, use a wss:// URL, or raise callsPerDay';

/** Calls to the nodes of each chain in a day: what an indexer is going to send, and where a server runs what it has sent. */
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
        await examineExpected(config, chain, key),
        examineMeasured(chain, key, running, now),
      ].filter((line) => line !== undefined);
    }),
  );
  return lines.flat();
}

async function examineExpected(
  config: Pick<Config, 'families' | 'prices' | 'ticks'>,
  chain: ChainConfig,
  key: string,
): Promise<CheckLine | undefined> {
  const upstreams = createUpstreams({ chain });
  try {
    const { client, head } = await upstreams.pick();
    const { chainId, callsPerDay } = chain;
    const families = config.families.filter(({ chains }) =>
      chains.some((one) => one.chainId === chainId),
    );
    const calls = expectedCalls({
      chain,
      blockSeconds: await readRhythm(client, head),
      liveSeconds: config.ticks.liveSeconds,
      logRequests: logRequestsOf(
        families.map(({ adapter }) => adapter),
        feedsOn(config, chainId).length,
      ),
      families: families.length,
      proxies: await hasProxies(config, chainId, client, head.number),
      siblingSeconds: SIBLING_MS / 1000,
    });
    const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
    const text = `about ${Math.round(total)} a day while following (${byPurpose(calls)}); each block with events takes a few more`;
    if (callsPerDay === undefined || total <= callsPerDay) return pass(`${key}: ${text}`);
    return warn(key, `${text}: more than its callsPerDay of ${callsPerDay}`, RAISE);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Its own line says what is wrong.
    return undefined;
  } finally {
    upstreams.close();
  }
}

/** Seconds between two blocks. */
async function readRhythm(client: ChainClient, head: Header): Promise<number> {
  // The time of a genesis block says nothing.
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

function byPurpose(calls: ExpectedCalls): string {
  const named = [
    ['head', calls.head],
    ['logs', calls.logs],
    ['headers', calls.headers],
    ['state', calls.state],
    ['finality', calls.finality],
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
