import type { CallKind } from './profile.ts';

/** One JSON-RPC request, or an item of a batch. */
export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The target's response to one call: `result` or `error`. */
export interface Answer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface LogFilter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (null | string | readonly string[])[];
}

export interface Log {
  readonly blockNumber: string;
  readonly blockHash: string;
}

/** The index of the block among the parameters of calls that read state. */
const STATE_BLOCK: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_createAccessList: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
};

const KINDS: Readonly<Record<string, CallKind>> = {
  eth_getLogs: 'logs',
  eth_blockNumber: 'head',
  eth_chainId: 'chainId',
  net_version: 'chainId',
  eth_getBlockByHash: 'header',
  eth_getBlockByNumber: 'header',
  eth_getBlockReceipts: 'receipts',
};

/** Calls outside the table cost as much as `eth_call`. */
export function getCallKind(method: string): CallKind {
  return Object.hasOwn(KINDS, method) ? KINDS[method]! : 'call';
}

/** The index of the block parameter of a call that reads state. */
export function findStateBlock(method: string): number | undefined {
  return Object.hasOwn(STATE_BLOCK, method) ? STATE_BLOCK[method] : undefined;
}

/** Reads a body: a list for a batch. Null if it is not JSON-RPC. */
export function parseBody(text: string): { calls: readonly Call[]; isBatch: boolean } | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const isBatch = Array.isArray(parsed);
  const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const calls = list.filter(isCall).map((call) => ({ ...call, params: call.params ?? [] }));
  return list.length === 0 || calls.length < list.length ? null : { calls, isBatch };
}

export function toQuantity(value: number): string {
  return `0x${value.toString(16)}`;
}

export function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('0x');
}

function isCall(value: unknown): value is Call {
  if (typeof value !== 'object' || value === null) return false;
  const { method, params } = value as Partial<Call>;
  return typeof method === 'string' && (params === undefined || Array.isArray(params));
}
