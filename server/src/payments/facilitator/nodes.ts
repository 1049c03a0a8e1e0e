import { createHttpPost, type HttpPost } from '../../chain/httpPost.ts';
import type { BlockRange } from '../../chain/rangeWording.ts';
import type { RpcCall } from '../../chain/rpcClient.ts';
import {
  type RpcError,
  RpcRateLimited,
  RpcUnreachable,
  StateUnavailable,
} from '../../chain/rpcError.ts';
import { classify, type ErrorMember, refusesBatch } from '../../chain/rpcErrorWording.ts';
import type { Hex } from '../../domain/hex.ts';

/** No node of the payment chain gave a usable answer. */
export class NodesUnavailable extends Error {
  override readonly name = 'NodesUnavailable';

  constructor() {
    super('no node of the payment chain answers: check its rpc URLs');
  }
}

/**
 * A node's no. Its text tells apart what the chain's error classes need not (nonces, pools, reasons of reverts): it is
 * matched against, and never shown.
 */
export interface NodeRefusal {
  readonly error: RpcError;
  readonly text: string;
  /** What a reverted call returned. */
  readonly data: Hex | null;
}

export type NodeAnswer = { readonly result: unknown } | NodeRefusal;

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
  /** All from one node, in order. */
  ask(calls: readonly RpcCall[], range?: BlockRange): Promise<readonly NodeAnswer[]>;
  /**
   * The same, for what must not be taken for undone: `doubtful` when a node took it and did not answer before
   * another one did.
   */
  tell(
    calls: readonly RpcCall[],
  ): Promise<{ readonly answers: readonly NodeAnswer[]; readonly doubtful: boolean }>;
  close(): void;
}

interface Node {
  readonly upstream: number;
  readonly http: HttpPost;
  /** Whether it has shown to be of this chain since its last failure. */
  known: boolean;
  takesBatches: boolean;
}

/** Another chain, or no sensible answer: the next node, please. */
class NodeFailed extends Error {}

export function createNodes(options: {
  chainId: number;
  rpcUrls: readonly string[];
  timeoutMs: number;
}): Nodes {
  const nodes = options.rpcUrls.map(
    (url, i): Node => ({
      upstream: i + 1,
      http: createHttpPost({
        url,
        timeoutMs: options.timeoutMs,
        maxBodyBytes: 16 * 1024 * 1024,
        sockets: 32,
      }),
      known: false,
      takesBatches: true,
    }),
  );
  let current = 0;
  let nextId = 1;

  return { ask, tell, close };

  async function ask(
    calls: readonly RpcCall[],
    range?: BlockRange,
  ): Promise<readonly NodeAnswer[]> {
    const { answers } = await tell(calls, range);
    return answers;
  }

  async function tell(
    calls: readonly RpcCall[],
    range?: BlockRange,
  ): Promise<{ answers: readonly NodeAnswer[]; doubtful: boolean }> {
    const first = current;
    for (let i = 0; i < nodes.length; i++) {
      const at = (first + i) % nodes.length;
      const node = nodes[at]!;
      try {
        if (!node.known) await identify(node);
        const answers = await askNode(node, calls, range);
        current = at;
        return { answers, doubtful: i > 0 };
      } catch (error) {
        if (!(error instanceof NodeFailed)) throw error;
        node.known = false;
      }
    }
    // The one that failed is the last to be tried next time.
    current = (first + 1) % nodes.length;
    throw new NodesUnavailable();
  }

  async function identify(node: Node): Promise<void> {
    const [answer] = await askNode(node, [{ method: 'eth_chainId', params: [] }]);
    if (!('result' in answer!) || Number(answer.result) !== options.chainId) throw new NodeFailed();
    node.known = true;
  }

  async function askNode(
    node: Node,
    calls: readonly RpcCall[],
    range?: BlockRange,
  ): Promise<readonly NodeAnswer[]> {
    if (calls.length === 0) return [];
    if (calls.length > 1 && node.takesBatches) {
      const answers = await askBatch(node, calls, range);
      if (answers !== null) return answers;
      node.takesBatches = false;
    }
    const answers: NodeAnswer[] = [];
    for (const call of calls) answers.push(await askOne(node, call, range));
    return answers;
  }

  async function askOne(node: Node, call: RpcCall, range?: BlockRange): Promise<NodeAnswer> {
    const id = nextId++;
    const { value, status } = await post(node, { jsonrpc: '2.0', id, ...call });
    if (errorMember(value) === null && Number((value as { id?: unknown } | null)?.id) !== id) {
      throw new NodeFailed();
    }
    return read(node, value, status, range);
  }

  /** Null when the node does not take batches. */
  async function askBatch(
    node: Node,
    calls: readonly RpcCall[],
    range?: BlockRange,
  ): Promise<readonly NodeAnswer[] | null> {
    const first = nextId;
    nextId += calls.length;
    const body = calls.map((call, i) => ({ jsonrpc: '2.0', id: first + i, ...call }));
    const { value, status } = await post(node, body);
    if (!Array.isArray(value)) {
      const error = errorMember(value);
      if (error !== null && (refusesBatch(error) || error.code === -32600)) return null;
      throw new NodeFailed();
    }
    const answers = new Array<NodeAnswer | undefined>(calls.length);
    for (const member of value) {
      const at = Number((member as { id?: unknown } | null)?.id) - first;
      const error = errorMember(member);
      if (error !== null && refusesBatch(error)) return null;
      if (at >= 0 && at < calls.length) answers[at] = read(node, member, status, range);
    }
    if (answers.includes(undefined)) throw new NodeFailed();
    return answers as NodeAnswer[];
  }

  async function post(node: Node, body: unknown): Promise<{ value: unknown; status: number }> {
    try {
      const { body: text, status } = await node.http.send(JSON.stringify(body));
      return { value: JSON.parse(text), status };
    } catch {
      // No answer, or none that is JSON.
      throw new NodeFailed();
    }
  }

  function read(node: Node, member: unknown, status: number, range?: BlockRange): NodeAnswer {
    const refused = errorMember(member);
    if (refused !== null) return readRefusal(node, refused, status, range);
    const broken = typeof member !== 'object' || member === null || !('result' in member);
    if (broken || status > 299) throw new NodeFailed();
    return { result: member.result };
  }

  function readRefusal(
    { upstream }: Node,
    member: ErrorMember,
    status: number,
    range?: BlockRange,
  ): NodeRefusal {
    const error = classify(member, { upstream, range, status, retryAfterSeconds: null });
    const failed =
      error instanceof RpcUnreachable ||
      error instanceof RpcRateLimited ||
      error instanceof StateUnavailable;
    if (failed) throw new NodeFailed();
    return { error, text: member.message.toLowerCase(), data: revertData(member.data) };
  }

  function close(): void {
    for (const { http } of nodes) http.close();
  }
}

function errorMember(value: unknown): ErrorMember | null {
  if (typeof value !== 'object' || value === null || !('error' in value)) return null;
  const error = value.error;
  if (typeof error !== 'object' || error === null) return null;
  const { code, message, data } = error as Record<string, unknown>;
  return { code: Number(code) || 0, message: typeof message === 'string' ? message : '', data };
}

/** Plain in most nodes, after a word in some, a level or two deeper in others. */
function revertData(data: unknown, depth = 0): Hex | null {
  if (typeof data === 'string') {
    const found = /^(?:reverted )?(0x[0-9a-f]*)$/i.exec(data);
    return found === null ? null : (found[1]!.toLowerCase() as Hex);
  }
  if (typeof data !== 'object' || data === null || depth > 2) return null;
  const { data: inner, originalError } = data as { data?: unknown; originalError?: unknown };
  return revertData(inner, depth + 1) ?? revertData(originalError, depth + 1);
}
