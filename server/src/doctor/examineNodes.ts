import type { ChainClient, Header } from '../chain/chainClient.ts';
import { RangeTooWide, RpcError, RpcRefused, StateUnavailable } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import { type CheckLine, fail, pass, warn } from '../check/line.ts';
import type { ChainConfig, Config } from '../config/config.ts';

/** Blocks of every chain are almost always faster than this. */
const OLD_HEAD_SECONDS = 300;

export interface ExaminedNode {
  readonly line: CheckLine;
  /** Undefined if the RPC endpoint returned none. */
  readonly head?: Header;
}

/** Checks each URL separately, including fallback URLs. URLs are never shown: they may contain a key. */
export async function examineNodes(config: Config, now: number): Promise<ExaminedNode[]> {
  const found = config.chains.map((chain, i) => {
    const key = config.keys?.chains[i] ?? `chains[${i}]`;
    return Promise.all(
      chain.rpcUrls.map((url, j) => examineNode(config, chain, url, `${key}.rpc[${j}]`, now)),
    );
  });
  return (await Promise.all(found)).flat();
}

async function examineNode(
  config: Config,
  chain: ChainConfig,
  url: string,
  key: string,
  now: number,
): Promise<ExaminedNode> {
  const upstreams = createUpstreams({ chain: { ...chain, rpcUrls: [url] } });
  try {
    const { client, head } = await upstreams.pick();
    const line = await examineHead(config, chain, { client, head, key, now });
    return { line, head };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { line: fail(key, withoutNumber(error), 'correct the URL, or use another provider') };
  } finally {
    upstreams.close();
  }
}

interface Asked {
  readonly client: ChainClient;
  readonly head: Header;
  readonly key: string;
  readonly now: number;
}

/** One line: the worst finding. */
async function examineHead(config: Config, chain: ChainConfig, asked: Asked): Promise<CheckLine> {
  const { client, head, key, now } = asked;
  const age = now - head.time;
  if (age > OLD_HEAD_SECONDS) {
    const reason = `its newest block ${head.number} is ${age} s old`;
    return warn(key, reason, 'wait until the RPC endpoint has caught up, or use another');
  }
  if (typeof chain.finality === 'string' && !(await knows(client, chain.finality))) {
    const reason = `it returns no ${chain.finality} block`;
    return fail(key, reason, 'set finality to a depth, such as { depth: 64 }');
  }
  const logs = await examineLogs(config, chain, asked);
  if (logs !== undefined) return logs;
  const depth = await examineDepth(config, chain, asked);
  return depth ?? pass(`${key}: chain ${chain.chainId}, block ${head.number}, ${age} s old`);
}

async function knows(client: ChainClient, tag: 'finalized' | 'safe'): Promise<boolean> {
  try {
    return (await client.header(tag)) !== null;
  } catch (error) {
    if (error instanceof RpcRefused) return false;
    throw error;
  }
}

/** Requests logs as the indexer would at the head. */
async function examineLogs(
  config: Config,
  { chainId, logRange }: ChainConfig,
  { client, head, key }: Asked,
): Promise<CheckLine | undefined> {
  const addresses = config.families.flatMap(({ chains }) =>
    chains.filter((one) => one.chainId === chainId).map(({ address }) => address),
  );
  if (addresses.length === 0) return undefined;
  const fromBlock = Math.max(0, head.number - logRange + 1);
  try {
    await client.logs({ fromBlock, toBlock: head.number, filter: { addresses } });
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeTooWide)) throw error;
    const most = error.maxBlocks === null ? '' : `, at most ${error.maxBlocks} blocks`;
    const reason = `it rejects ${logRange} blocks of logs in a request as too many${most}`;
    return warn(key, reason, 'set logRange to that; indexing adapts, but takes more requests');
  }
}

/** Where the backfill starts: the first block of the oldest family. */
async function examineDepth(
  { families }: Config,
  { chainId }: ChainConfig,
  { client, key }: Asked,
): Promise<CheckLine | undefined> {
  const places = families.flatMap(({ chains }) => chains.filter((one) => one.chainId === chainId));
  const [oldest] = places.toSorted((a, b) => a.startBlock - b.startBlock);
  if (oldest === undefined) return undefined;
  try {
    await client.code(oldest.address, oldest.startBlock);
    return undefined;
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
    const reason = `it has no state of block ${oldest.startBlock}, where the oldest family starts`;
    return warn(key, reason, 'the initial backfill needs an archive RPC endpoint: add one');
  }
}

/** The key identifies it. */
function withoutNumber({ safeText }: RpcError): string {
  return safeText.replace(/^rpc \d+ /, 'it ');
}
