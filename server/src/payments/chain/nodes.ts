import type { BlockRange } from '../../chain/rangeWording.ts';
import {
  createRpcClient,
  type RpcCall,
  type RpcClient,
  type RpcOptions,
  type RpcOutcome,
} from '../../chain/rpcClient.ts';
import {
  RpcError,
  RpcRateLimited,
  RpcUnreachable,
  StateUnavailable,
  WrongChain,
} from '../../chain/rpcError.ts';

/** No node of the payment chain gave a usable answer. */
export class NodesUnavailable extends Error {
  override readonly name = 'NodesUnavailable';

  constructor() {
    super('no node of the payment chain answers: check its rpc URLs');
  }
}

export type NodeAnswer = RpcOutcome;

/** A node's no. */
export type NodeRefusal = Extract<NodeAnswer, { readonly error: RpcError }>;

/** A number in hex, or nothing that can be used. */
export function readQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw new NodesUnavailable();
  return BigInt(value);
}

/** What a node said yes with. */
export function readResult(answer: NodeAnswer | undefined): unknown {
  if (answer === undefined || !('result' in answer)) throw new NodesUnavailable();
  return answer.result;
}

/** The payment chain's nodes, of which one is used while it answers. Throws NodesUnavailable only. */
export interface Nodes {
  /** All from one node. */
  ask(calls: readonly RpcCall[], range?: BlockRange): Promise<readonly NodeAnswer[]>;
  /**
   * The same, one after the other, for what must not be taken for undone: `doubtful` when a node took it and did not
   * answer before another one did.
   */
  broadcast(
    calls: readonly RpcCall[],
  ): Promise<{ readonly answers: readonly NodeAnswer[]; readonly doubtful: boolean }>;
  close(): void;
}

interface Node {
  readonly rpc: RpcClient;
  /** Whether it has shown to be of this chain since its last failure. */
  known: boolean;
}

const SOCKETS = 32;

export function createNodes(options: {
  chainId: number;
  rpcUrls: readonly string[];
  timeoutMs: number;
  /** Told of every request, with how many calls it has. */
  onCalls?: (calls: number) => void;
}): Nodes {
  const { chainId, timeoutMs, onCalls } = options;
  const nodes = options.rpcUrls.map(
    (url, i): Node => ({
      rpc: createRpcClient({ url, upstream: i + 1, timeoutMs, sockets: SOCKETS, onCalls }),
      known: false,
    }),
  );
  let current = 0;

  return { ask, broadcast: (calls) => firstAnswer(calls, { inOrder: true }), close };

  async function ask(
    calls: readonly RpcCall[],
    range?: BlockRange,
  ): Promise<readonly NodeAnswer[]> {
    const { answers } = await firstAnswer(calls, { range });
    return answers;
  }

  async function firstAnswer(
    calls: readonly RpcCall[],
    opts: RpcOptions,
  ): Promise<{ answers: readonly NodeAnswer[]; doubtful: boolean }> {
    const first = current;
    for (let i = 0; i < nodes.length; i++) {
      const at = (first + i) % nodes.length;
      const node = nodes[at]!;
      try {
        if (!node.known) await identify(node);
        const answers = await askNode(node, calls, opts);
        current = at;
        return { answers, doubtful: i > 0 };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        node.known = false;
      }
    }
    // The one that failed is the last to be tried next time.
    current = (first + 1) % nodes.length;
    throw new NodesUnavailable();
  }

  async function identify(node: Node): Promise<void> {
    const actual = Number(await node.rpc.request('eth_chainId', []));
    const { upstream } = node.rpc;
    if (actual !== chainId) throw new WrongChain({ upstream, expected: chainId, actual });
    node.known = true;
  }

  async function askNode(
    { rpc }: Node,
    calls: readonly RpcCall[],
    opts: RpcOptions,
  ): Promise<readonly NodeAnswer[]> {
    const answers = await rpc.batch(calls, opts);
    for (const answer of answers)
      if ('error' in answer && isFailure(answer.error)) throw answer.error;
    return answers;
  }

  function close(): void {
    for (const { rpc } of nodes) rpc.close();
  }
}

/** Nothing that was wrong with the call: another node may do better. */
function isFailure(error: RpcError): boolean {
  return (
    error instanceof RpcUnreachable ||
    error instanceof RpcRateLimited ||
    error instanceof StateUnavailable
  );
}
