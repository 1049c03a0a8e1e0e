import { createChainClient } from '../chain/client.ts';
import { createPace } from '../chain/pace.ts';
import { createRetryingRpc } from '../chain/retryingRpc.ts';
import { createRpcClient, type RpcClient } from '../chain/rpcClient.ts';
import { RpcError } from '../chain/rpcError.ts';
import { DEFAULTS } from '../config/schema.ts';
import { lower } from '../domain/hex.ts';
import { isContract, type Look } from '../vaults/recognize/readContract.ts';
import { chainNameOf } from './chainNames.ts';
import { InitRefused } from './initRefused.ts';

export interface AskedChain {
  /** Null: the RPC endpoint reports its chain. */
  readonly chainId: number | null;
  readonly url: string;
}

/** A chain that is read through the first of its URLs. */
export interface OpenChain {
  readonly chainId: number;
  readonly name: string;
  readonly urls: readonly string[];
  /** One for each URL. */
  readonly rpcs: readonly RpcClient[];
  readonly look: Look;
  /** The finality that the RPC endpoint supports. */
  readonly finality: 'finalized' | 'safe' | { readonly depth: number };
  readonly hasMulticall: boolean;
}

const MULTICALL = lower(DEFAULTS.multicall);
/** There is no other URL to fall back to. */
const RETRY_LIMITS = { retryMs: 20_000, urgentMs: 20_000 };
/** Depth below the head, if an RPC endpoint has no tag: more than any reorg seen on a public chain. */
const DEPTH = 64;

export async function openChains(
  asked: readonly AskedChain[],
): Promise<{ chains: OpenChain[]; close(): void }> {
  const rpcs: RpcClient[] = [];
  const close = () => {
    for (const rpc of rpcs) rpc.close();
  };
  try {
    const found = new Map<number, OpenChain>();
    for (const [i, { chainId: expected, url }] of asked.entries()) {
      const plain = createRpcClient({ url, upstream: i + 1, timeoutMs: 15_000 });
      // Public RPC endpoints limit requests: a command that runs once can wait.
      const rpc = createRetryingRpc(plain, { pace: createPace(), ...RETRY_LIMITS });
      rpcs.push(rpc);
      const client = createChainClient({ rpc, multicall: MULTICALL });
      const chainId = await client.chainId();
      if (expected !== null && expected !== chainId) {
        throw new InitRefused(
          `the RPC endpoint for chain ${expected} is of chain ${chainId}; correct --chain`,
        );
      }
      const known = found.get(chainId);
      if (known !== undefined) {
        const more = { urls: [...known.urls, url], rpcs: [...known.rpcs, rpc] };
        found.set(chainId, { ...known, ...more });
        continue;
      }
      const head = await client.header('latest');
      if (head === null)
        throw new InitRefused(`the RPC endpoint of chain ${chainId} has no block yet`);
      const look = { client, block: head.number };
      found.set(chainId, {
        chainId,
        name: chainNameOf(chainId),
        urls: [url],
        rpcs: [rpc],
        look,
        finality: await finalityOf(look),
        hasMulticall: await isContract(look, MULTICALL),
      });
    }
    return { chains: [...found.values()], close };
  } catch (error) {
    close();
    throw error;
  }
}

async function finalityOf({ client }: Look): Promise<OpenChain['finality']> {
  for (const tag of ['finalized', 'safe'] as const) {
    try {
      if ((await client.header(tag)) !== null) return tag;
    } catch (error) {
      // RPC endpoints reject an unknown tag with many different messages.
      if (!(error instanceof RpcError)) throw error;
    }
  }
  return { depth: DEPTH };
}
