import { describe, expect, test } from 'vitest';
import { type Reason, TEXTS, type Text } from '../../../test/providerTexts.ts';
import { createChainClient } from '../../chain/client.ts';
import { createDeepReads, createKeeps, type DeepUpstream } from '../../chain/deepReads.ts';
import { startLogRange } from '../../chain/logRange.ts';
import { createPace } from '../../chain/pace.ts';
import { createRetryingRpc } from '../../chain/retryingRpc.ts';
import type { RpcClient } from '../../chain/rpcClient.ts';
import { RpcError } from '../../chain/rpcError.ts';
import { classify } from '../../chain/rpcErrorWording.ts';
import { withSteadyReads } from '../../chain/steadyReads.ts';
import type { Address } from '../../domain/hex.ts';
import { readLogRanges } from './logRanges.ts';

const ADDRESSES = [1, 2, 3, 4].map((id): Address => `0x${String(id).repeat(40)}`);
const HEAD = 100_000;
const WIDTH = 2_000;
const HASH = `0x${'ab'.repeat(32)}`;
const LATEST = {
  number: `0x${HEAD.toString(16)}`,
  hash: HASH,
  parentHash: HASH,
  timestamp: '0x64',
};

interface Request {
  readonly url: number;
  readonly from: number;
  readonly blocks: number;
  readonly addresses: number;
}

/** The reaction to a rejection; `again`: the same request, which passes the third time. */
type Reaction = 'narrower range' | 'fewer addresses' | 'other URL' | 'again' | 'gives up';

const REACTIONS: Readonly<Record<Reason, Reaction>> = {
  'too wide': 'narrower range',
  'too many addresses': 'fewer addresses',
  'too deep': 'other URL',
  'ahead of this node': 'again',
  'by distance from the head': 'other URL',
  'too fast': 'again',
  'used up': 'gives up',
  'timed out': 'narrower range',
  unhealthy: 'again',
};

/** Reads logs over two URLs, the first of which rejects a wide range with all addresses. Returns the requests. */
async function readWith(rejection: Text, failures: number, urls = 2) {
  const requests: Request[] = [];
  let left = failures;

  function connect(url: number): DeepUpstream {
    const rpc: RpcClient = {
      upstream: url,
      batch: async () => [],
      close() {},
      async request(method, params, { range } = {}) {
        if (method !== 'eth_getLogs') return LATEST;
        const { address } = params[0] as { address: readonly Address[] };
        const { fromBlock: from, toBlock } = range!;
        const request = { url, from, blocks: toBlock - from + 1, addresses: address.length };
        requests.push(request);
        if (url > 1 || !isWide(request) || left-- <= 0) return [];
        const { code = -32000, status = 200, data, text } = rejection;
        const context = { upstream: url, status, retryAfterSeconds: null, range };
        throw classify({ code, message: text, data }, context);
      },
    };
    let now = 0;
    // The pauses end at once.
    const clock = () => {
      now += 50;
      return now;
    };
    const setTimer = (work: () => void) => setImmediate(work);
    const pace = createPace({ random: () => 0, setTimer, clock });
    const retrying = createRetryingRpc(rpc, { pace, retryMs: 60_000 });
    const client = createChainClient({ rpc: retrying, multicall: ADDRESSES[0]!, head: HEAD });
    return { client: withSteadyReads(client), head: HEAD, keeps: createKeeps(), failed() {} };
  }

  const [current, ...others] = Array.from({ length: urls }, (_, i) => connect(i + 1));
  await current!.client.header('latest');
  const client = createDeepReads({ current: current!, others: () => others, now: () => 0 });
  let error: unknown;
  try {
    const range = { current: startLogRange(WIDTH) };
    const filter = { addresses: ADDRESSES };
    const blocks = { fromBlock: 1_000, toBlock: 9_999 };
    for await (const _ of readLogRanges({ client, filter, ...blocks, concurrency: 1, range }));
  } catch (thrown) {
    error = thrown;
  }
  return { requests, error };
}

function isWide({ blocks, addresses }: Request): boolean {
  return blocks >= WIDTH && addresses === ADDRESSES.length;
}

async function reactionOf(rejection: Text, failures: number): Promise<Reaction> {
  const { requests, error } = await readWith(rejection, failures);
  if (error instanceof RpcError) return 'gives up';
  if (error !== undefined) throw error;
  const first = requests.findIndex(isWide);
  const { from } = requests[first]!;
  const next = requests
    .slice(first)
    .find((one) => one.url > 1 || one.from !== from || !isWide(one));
  if (next === undefined) throw new Error('nothing follows the rejection');
  if (next.url > 1) return 'other URL';
  if (next.from !== from) return 'again';
  return next.addresses < ADDRESSES.length ? 'fewer addresses' : 'narrower range';
}

describe('the reaction to texts of real providers', () => {
  describe.each(Object.keys(TEXTS) as Reason[])('%s', (reason) => {
    const failures = REACTIONS[reason] === 'again' ? 2 : Number.POSITIVE_INFINITY;
    test.each(TEXTS[reason])('behavior: $text', async (text) => {
      expect(await reactionOf(text, failures)).toBe(REACTIONS[reason]);
    });
  });

  test.each(TEXTS['too deep'])('behavior: without another URL, a gap: $text', async (text) => {
    const { error } = await readWith(text, Number.POSITIVE_INFINITY, 1);
    expect(error).toMatchObject({ name: 'StateUnavailable', reason: 'pruned', of: 'logs' });
  });
});
