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

/** No RPC endpoint of the payment chain gave a usable response. */
export class NodesUnavailable extends Error {
  override readonly name = 'NodesUnavailable';

  constructor() {
    super(
      'No RPC endpoint for the payment chain is responding. Check the `rpc` URLs of the chain.',
    );
  }
}

export type NodeAnswer = RpcOutcome;

/** An error response of an RPC endpoint. */
export type NodeRefusal = Extract<NodeAnswer, { readonly error: RpcError }>;

/** Parses a hex number; throws NodesUnavailable for anything else. */
export function readQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw new NodesUnavailable();
  return BigInt(value);
}

/** Returns the result of a successful response. */
export function readResult(answer: NodeAnswer | undefined): unknown {
  if (answer === undefined || !('result' in answer)) throw new NodesUnavailable();
  return answer.result;
}

/** The payment chain's RPC endpoints, used one at a time with failover. Throws only NodesUnavailable. */
export interface Nodes {
  /** Sends all calls to one endpoint. */
  request(calls: readonly RpcCall[], range?: BlockRange): Promise<readonly NodeAnswer[]>;
  /**
   * Sends the calls one after the other, for transactions. `doubtful`: an endpoint failed before another one responded,
   * so it may have accepted them.
   */
  broadcast(
    calls: readonly RpcCall[],
  ): Promise<{ readonly answers: readonly NodeAnswer[]; readonly doubtful: boolean }>;
  close(): void;
}

interface Node {
  readonly rpc: RpcClient;
  /** Whether it has returned the right chain ID since its last failure. */
  known: boolean;
}

const SOCKETS = 32;

export function createNodes(options: {
  chainId: number;
  rpcUrls: readonly string[];
  timeoutMs: number;
  /** Called for every request, with its number of calls. */
  onCalls?: (calls: number) => void;
}): Nodes {
  const { chainId, timeoutMs, onCalls } = options;
  const nodes = options.rpcUrls.map(
    (url, i): Node => ({
      rpc: createRpcClient({ url, upstream: i + 1, timeoutMs, sockets: SOCKETS, onCalls, chainId }),
      known: false,
    }),
  );
  let current = 0;

  return { request, broadcast: (calls) => requestWithFailover(calls, { inOrder: true }), close };

  async function request(
    calls: readonly RpcCall[],
    range?: BlockRange,
  ): Promise<readonly NodeAnswer[]> {
    const { answers } = await requestWithFailover(calls, { range });
    return answers;
  }

  async function requestWithFailover(
    calls: readonly RpcCall[],
    opts: RpcOptions,
  ): Promise<{ answers: readonly NodeAnswer[]; doubtful: boolean }> {
    const first = current;
    for (let i = 0; i < nodes.length; i++) {
      const at = (first + i) % nodes.length;
      const node = nodes[at]!;
      try {
        if (!node.known) await identify(node);
        const answers = await requestFrom(node, calls, opts);
        current = at;
        return { answers, doubtful: i > 0 };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        node.known = false;
      }
    }
    // The endpoint that failed is tried last next time.
    current = (first + 1) % nodes.length;
    throw new NodesUnavailable();
  }

  async function identify(node: Node): Promise<void> {
    const actual = Number(await node.rpc.request('eth_chainId', []));
    const { upstream } = node.rpc;
    if (actual !== chainId) throw new WrongChain({ upstream, expected: chainId, actual });
    node.known = true;
  }

  async function requestFrom(
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

/** Whether another endpoint may succeed, because nothing is wrong with the call itself. */
function isFailure(error: RpcError): boolean {
  return (
    error instanceof RpcUnreachable ||
    error instanceof RpcRateLimited ||
    error instanceof StateUnavailable
  );
}
