import type { Address, Hex } from 'viem';
import { createEngine, type EngineOptions } from './engine.ts';
import { answerBody, RpcFailure } from './jsonRpc.ts';
import { type RpcServer, serveRpc } from './rpcServer.ts';

export interface ChainOptions extends EngineOptions {
  /** Accounts that the engine sends for without a signature: signing would take a third of the build time. */
  readonly actors: readonly Address[];
  /** Unix seconds, for blocks that are mined for external transactions. */
  readonly clock?: () => number;
}

export interface Transaction {
  readonly from: Address;
  /** Absent: a contract creation. */
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas?: number;
}

export interface Head {
  readonly number: number;
  readonly hash: Hex;
  readonly time: number;
}

export interface ReorgBlock {
  readonly timestamp: number;
  /** Sends the block's transactions. */
  fill?(): Promise<void>;
}

export type Control = (params: readonly unknown[]) => Promise<unknown>;

export interface DevChain {
  readonly chainId: number;
  /** Number and time of the latest block, without a request to the engine. */
  readonly tip: { readonly number: number; readonly time: number };
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Handles a client's JSON-RPC body, single or batch. External transactions are mined at once. */
  handle(body: string): Promise<string>;
  /** Adds a transaction to the pool, where it waits for `mine`. */
  send(transaction: Transaction): Promise<Hex>;
  /** Queues a transaction for the next `mine`: one request per block, because the round trip costs more than the work. */
  put(transaction: Transaction): void;
  call(to: Address, data: Hex, block?: number): Promise<Hex>;
  /** Mines one block with all transactions of the pool, never earlier than its parent. */
  mine(timestamp: number): Promise<void>;
  head(): Promise<Head>;
  /** Runs `work` while no other block can be mined; `reorg` and external transactions use the same lock. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Replaces the latest `depth` blocks with new ones, which always differ. */
  reorg(change: { depth: number; blocks: readonly ReorgBlock[] }): Promise<void>;
  /** Returns how many blocks can be replaced now. */
  reorgLimit(): number;
  /** Turn it off while no reorg is needed: snapshots take time. */
  keepSnapshots(keep: boolean): Promise<void>;
  /** Additional methods, served on the chain's URL. */
  readonly controls: Map<string, Control>;
  serve(listen: { host: string; port: number }): Promise<RpcServer>;
}

export class ReorgTooDeep extends Error {
  override readonly name = 'ReorgTooDeep';
  readonly depth: number;
  readonly limit: number;

  constructor(depth: number, limit: number) {
    super(`Cannot replace ${depth} blocks: only ${limit} have a snapshot. Use a smaller depth.`);
    this.depth = depth;
    this.limit = limit;
  }
}

export const KEPT_BLOCKS = 130;
const GAS = 1_500_000;
const GWEI = '0x3b9aca00';
// They would mine blocks or move the time without this chain's control.
const REFUSED =
  /^(evm_(revert|snapshot|increaseTime|setNextBlockTimestamp|setAutomine|setIntervalMining)|hardhat_(reset|mine))$/;

export async function createChain(options: ChainOptions): Promise<DevChain> {
  const engine = await createEngine(options);
  const clock = options.clock ?? (() => Math.floor(Date.now() / 1000));
  const controls = new Map<string, Control>();
  const snapshots: { id: string; number: number; time: number }[] = [];
  const tip = { number: 0, time: options.genesisTime };
  let turn: Promise<unknown> = Promise.resolve();
  let reorgs = 0;
  const put: object[] = [];
  let keeping = true;

  async function rpc<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return ask<T>(request(method, params));
  }

  /** Runs a list in one request; the first failure ends it. */
  async function ask<T>(asked: Request | readonly Request[]): Promise<T> {
    const answer = JSON.parse(await engine.request(JSON.stringify(asked))) as {
      result: T;
      error?: { code: number; message: string };
    };
    if (!answer.error) return answer.result;
    const { method } = [asked].flat().at(-1)!;
    throw new RpcFailure(answer.error.code, `${method}: ${answer.error.message}`);
  }

  async function keepSnapshot(): Promise<void> {
    if (!keeping) return;
    const id = await rpc<string>('evm_snapshot');
    snapshots.push({ id, number: tip.number, time: tip.time });
    if (snapshots.length > KEPT_BLOCKS + 1) snapshots.shift();
  }

  async function mine(timestamp: number): Promise<void> {
    const time = Math.max(timestamp, tip.time);
    const sent = put.splice(0).map((transaction) => request('eth_sendTransaction', [transaction]));
    await ask([...sent, request('evm_mine', [time])]);
    tip.number += 1;
    tip.time = time;
    await keepSnapshot();
  }

  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = turn.then(work, work);
    turn = run.catch(() => {});
    return run;
  }

  async function reorg(depth: number, blocks: readonly ReorgBlock[]): Promise<void> {
    const kept = snapshots.findIndex(({ number }) => number === tip.number - depth);
    if (depth < 1 || kept < 0) throw new ReorgTooDeep(depth, snapshots.length - 1);
    const base = snapshots[kept]!;
    await rpc('evm_revert', [base.id]);
    snapshots.length = kept;
    tip.number = base.number;
    tip.time = base.time;
    await keepSnapshot();
    reorgs += 1;
    for (const [index, block] of blocks.entries()) {
      // Without this, an equal block would have an equal hash.
      if (index === 0) await rpc('hardhat_setPrevRandao', [`0x${word(reorgs)}`]);
      await block.fill?.();
      await mine(block.timestamp);
    }
  }

  async function answer(method: string, params: readonly unknown[], request: string) {
    const control = controls.get(method);
    if (control) return JSON.stringify({ result: (await control(params)) ?? null });
    if (REFUSED.test(method)) {
      throw new RpcFailure(-32601, `${method} is not supported; see devnet_reorg`);
    }
    if (method === 'evm_mine') {
      await exclusive(() => mine(clock()));
      return '{"result":"0x0"}';
    }
    if (method !== 'eth_sendRawTransaction' && method !== 'eth_sendTransaction')
      return engine.request(request);
    return exclusive(async () => {
      const sent = await engine.request(request);
      if (sent.startsWith('{"result"')) await mine(clock());
      return sent;
    });
  }

  const handle = (body: string) => answerBody(body, answer);

  for (const actor of options.actors) await rpc('hardhat_impersonateAccount', [actor]);
  await keepSnapshot();
  return {
    chainId: options.chainId,
    tip,
    rpc,
    handle,
    send: (transaction) => rpc('eth_sendTransaction', [encoded(transaction)]),
    put(transaction) {
      put.push(encoded(transaction));
    },
    call: (to, data, block) =>
      rpc('eth_call', [{ to, data }, block === undefined ? 'latest' : `0x${block.toString(16)}`]),
    mine,
    async head() {
      const block = await rpc<{ number: Hex; hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
        'latest',
        false,
      ]);
      return { number: Number(block.number), hash: block.hash, time: Number(block.timestamp) };
    },
    exclusive,
    reorg: ({ depth, blocks }) => exclusive(() => reorg(depth, blocks)),
    reorgLimit: () => Math.max(0, snapshots.length - 1),
    async keepSnapshots(keep) {
      if (keeping === keep) return;
      keeping = keep;
      snapshots.length = 0;
      await keepSnapshot();
    },
    controls,
    serve: (listen) => serveRpc({ ...listen, handle }),
  };
}

interface Request {
  readonly jsonrpc: '2.0';
  readonly id: 1;
  readonly method: string;
  readonly params: readonly unknown[];
}

function request(method: string, params: readonly unknown[]): Request {
  return { jsonrpc: '2.0', id: 1, method, params };
}

function encoded({ from, to, data, value, gas }: Transaction): object {
  return {
    from,
    ...(to && { to }),
    ...(data && { data }),
    ...(value && { value: `0x${value.toString(16)}` }),
    gas: `0x${(gas ?? GAS).toString(16)}`,
    maxFeePerGas: GWEI,
    maxPriorityFeePerGas: '0x0',
  };
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0');
}
