import { createChainClient } from '../chain/client.ts';
import { createPace } from '../chain/pace.ts';
import { createPatientRpc } from '../chain/patientRpc.ts';
import { createRpcClient, type RpcClient } from '../chain/rpcClient.ts';
import { RpcError } from '../chain/rpcError.ts';
import { DEFAULTS } from '../config/schema.ts';
import { lower } from '../domain/hex.ts';
import { isContract, type Look } from '../vaults/recognise/look.ts';
import { chainNameOf } from './chainNames.ts';
import { InitRefused } from './initRefused.ts';

export interface AskedChain {
  /** Null: the node says which chain it is. */
  readonly chainId: number | null;
  readonly url: string;
}

/** A chain that is looked at through the first of its URLs. */
export interface OpenChain {
  readonly chainId: number;
  readonly name: string;
  readonly urls: readonly string[];
  /** One for each URL. */
  readonly rpcs: readonly RpcClient[];
  readonly look: Look;
  /** What the node can say of blocks that stay. */
  readonly finality: 'finalized' | 'safe' | { readonly depth: number };
  readonly hasMulticall: boolean;
}

const MULTICALL = lower(DEFAULTS.multicall);
/** There is no other URL to turn to. */
const PATIENCE = { patienceMs: 20_000, urgentMs: 20_000 };
/** Blocks below the head, where a node knows no tag: more than any reorganisation that was seen on a public chain. */
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
      // Public nodes limit requests: a command that runs once can wait.
      const rpc = createPatientRpc(plain, { pace: createPace(), ...PATIENCE });
      rpcs.push(rpc);
      const client = createChainClient({ rpc, multicall: MULTICALL });
      const chainId = await client.chainId();
      if (expected !== null && expected !== chainId) {
        throw new InitRefused(
          `the node given for chain ${expected} answers for chain ${chainId}; correct --chain`,
        );
      }
      const known = found.get(chainId);
      if (known !== undefined) {
        const more = { urls: [...known.urls, url], rpcs: [...known.rpcs, rpc] };
        found.set(chainId, { ...known, ...more });
        continue;
      }
      const head = await client.header('latest');
      if (head === null) throw new InitRefused(`the node of chain ${chainId} has no block yet`);
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
      // Nodes refuse a tag that they do not know in many words.
      if (!(error instanceof RpcError)) throw error;
    }
  }
  return { depth: DEPTH };
}
