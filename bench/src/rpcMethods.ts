import { CHAIN_ID } from './contracts.ts';
import type { LogFilter, ReplayedChain } from './replayedChain.ts';
import type { StaticReads } from './staticReads.ts';

export interface RpcCall {
  readonly id: number | string | null;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A JSON-RPC response in pieces of bytes or text, sent in order. */
export type Answer = (string | Buffer)[];

interface GetLogs {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[] | null;
  readonly topics?: readonly (string | readonly string[] | null)[];
}

/** Blocks with state, as on endpoints without an archive. */
const STATE_DEPTH = 128;

export function createRpcMethods(
  chain: ReplayedChain,
  reads: StaticReads,
  /** Rejects state older than this. Old state is not replayed: older reads return the state of the head. */
  stateDepth = STATE_DEPTH,
) {
  /** Returns undefined if the tag is not a block of this chain. */
  function blockNumber(tag: unknown): number | undefined {
    if (tag === undefined || tag === 'latest' || tag === 'pending') return chain.head;
    if (tag === 'finalized' || tag === 'safe') return chain.finalized;
    if (tag === 'earliest') return 0;
    if (typeof tag === 'string') return Number.parseInt(tag, 16);
    if (typeof tag === 'object' && tag !== null && 'blockHash' in tag) {
      return chain.findBlockByHash(String(tag.blockHash));
    }
    return undefined;
  }

  function answer(call: RpcCall): Answer {
    const [first, second] = call.params;
    switch (call.method) {
      case 'eth_chainId':
        return result(call, `"0x${CHAIN_ID.toString(16)}"`);
      case 'net_version':
        return result(call, `"${CHAIN_ID}"`);
      case 'web3_clientVersion':
        return result(call, '"replay/1"');
      case 'eth_syncing':
        return result(call, 'false');
      case 'eth_blockNumber':
        return result(call, `"0x${chain.head.toString(16)}"`);
      case 'eth_getBlockByNumber':
        return block(call, blockNumber(first), second === true);
      case 'eth_getBlockByHash':
        return block(call, chain.findBlockByHash(String(first)), second === true);
      case 'eth_getLogs':
        return logs(call, first as GetLogs);
      case 'eth_getBlockReceipts': {
        const number = String(first).length === 66 ? { blockHash: first } : first;
        return result(call, `[${chain.receipts(blockNumber(number) ?? 0).join(',')}]`);
      }
      case 'eth_getTransactionReceipt': {
        const found = chain.findTransaction(String(first));
        return result(call, found ? chain.receipts(found.block)[found.index]! : 'null');
      }
      case 'eth_getCode':
        return result(call, reads.hasCode(String(first).toLowerCase()) ? '"0x60"' : '"0x"');
      case 'eth_call':
        return read(call, first as { to: string; data?: string; input?: string }, second);
      default:
        return refusal(call, -32601, `the method ${call.method} does not exist`);
    }
  }

  function block(call: RpcCall, number: number | undefined, full: boolean): Answer {
    return result(call, (number === undefined ? undefined : chain.block(number, full)) ?? 'null');
  }

  function logs(call: RpcCall, asked: GetLogs): Answer {
    const hash = asked.blockHash === undefined ? undefined : { blockHash: asked.blockHash };
    const fromBlock = blockNumber(hash ?? asked.fromBlock);
    const toBlock = blockNumber(hash ?? asked.toBlock);
    if (fromBlock === undefined || toBlock === undefined) {
      return refusal(call, -32000, 'unknown block');
    }
    const pieces = chain.logs({ fromBlock, toBlock }, logFilter(asked));
    return [head(call), '"result":[', ...pieces, ']}'];
  }

  function read(
    call: RpcCall,
    asked: { to: string; data?: string; input?: string },
    tag: unknown,
  ): Answer {
    const number = blockNumber(tag);
    if (number === undefined || number > chain.head) {
      return refusal(call, -32000, 'header not found');
    }
    if (number < chain.head - stateDepth) {
      return refusal(call, -32000, `missing trie node ${'0'.repeat(64)} (path )`);
    }
    const answered = reads.call(asked.to.toLowerCase(), asked.data ?? asked.input ?? '0x');
    if (answered === null) return refusal(call, 3, 'execution reverted');
    return result(call, `"${answered}"`);
  }

  return { answer };
}

function logFilter(asked: GetLogs): LogFilter {
  const address = asked.address ?? null;
  return {
    addresses: address === null ? null : [address].flat().map((text) => text.toLowerCase()),
    topics: (asked.topics ?? []).map((topic) =>
      topic === null ? null : [topic].flat().map((text) => text.toLowerCase()),
    ),
  };
}

function head(call: RpcCall): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},`;
}

function result(call: RpcCall, json: string): Answer {
  return [`${head(call)}"result":${json}}`];
}

function refusal(call: RpcCall, code: number, message: string): Answer {
  return [`${head(call)}"error":${JSON.stringify({ code, message })}}`];
}
