import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  prepareEncodeFunctionData,
} from 'viem';
import { createChain, type DevChain, loadArtifacts } from '../../../devnet/src/index.ts';
import { MULTICALL } from '../../../devnet/src/plan.ts';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';

/** A deployed contract: its address and ABI. */
export interface Contract {
  readonly address: Address;
  readonly abi: Abi;
}

export interface Code {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

export interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly transactionHash: Hex;
}

export interface Receipt {
  readonly hash: Hex;
  readonly block: number;
  readonly time: number;
  readonly created: Address | null;
  readonly logs: readonly Log[];
}

export interface Call {
  readonly from: Address;
  readonly to: Contract;
  readonly fn: string;
  readonly args: readonly unknown[];
}

/** A chain for one test: any account can send, only the test moves the clock, and each block has one transaction. */
export interface LocalChain {
  readonly chainId: number;
  readonly url: string;
  readonly tip: { readonly number: number; readonly time: number };
  deploy(from: Address, code: Code, args?: readonly unknown[]): Promise<Contract>;
  /** Throws `Refused` with the contract's error if the transaction reverts. */
  send(from: Address, to: Contract, fn: string, args: readonly unknown[]): Promise<Receipt>;
  /** Sends all calls in one block, in this order. */
  together(calls: readonly Call[]): Promise<Receipt[]>;
  read<T = bigint>(to: Contract, fn: string, args?: readonly unknown[], block?: number): Promise<T>;
  rpc<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Delays the next block by this many extra seconds. */
  advance(seconds: number): void;
  /** Mines an empty block. */
  mine(): Promise<void>;
  /** Removes the newest blocks and mines one new, empty block. */
  rewind(depth: number): Promise<void>;
  /** Returns the last block at or before a timestamp. */
  blockAt(at: number): number;
  timeOf(block: number): number;
  logs(address: Address, topic: Hex): Promise<Log[]>;
  close(): Promise<void>;
}

export class Refused extends Error {
  override readonly name = 'Refused';
}

const GAS = 12_000_000;
const WEI = `0x${(10n ** 24n).toString(16)}`;
/** Seconds between blocks. */
const STEP = 12;

export async function createLocalChain(options: {
  readonly chainId: number;
  readonly startTime: number;
  /** Without it, the client must send every read as a separate request. */
  readonly multicall?: boolean;
}): Promise<LocalChain> {
  const { Multicall3 } = await loadArtifacts();
  const code = [{ address: MULTICALL, code: Multicall3!.deployedBytecode }];
  const chain: DevChain = await createChain({
    chainId: options.chainId,
    genesisTime: options.startTime,
    actors: [],
    balances: [],
    code: options.multicall === false ? [] : code,
    allowUnlimitedContractSize: true,
  });
  const server = await chain.serve({ host: '127.0.0.1', port: 0 });
  const actors = new Set<Address>();
  const answers = new Map<string, Promise<Hex>>();
  const times: number[] = [options.startTime];
  let wait = 0;

  async function admit(actor: Address): Promise<void> {
    if (actors.has(actor)) return;
    await chain.rpc('hardhat_impersonateAccount', [actor]);
    await chain.rpc('hardhat_setBalance', [actor, WEI]);
    actors.add(actor);
  }

  async function mine(): Promise<void> {
    await chain.mine(chain.tip.time + STEP + wait);
    wait = 0;
    times[chain.tip.number] = chain.tip.time;
    times.length = chain.tip.number + 1;
  }

  async function put(from: Address, data: Hex, to?: Address): Promise<Hex> {
    await admit(from);
    return chain.send({ from, data, gas: GAS, ...(to && { to }) });
  }

  async function receiptOf(hash: Hex, what: string, again?: () => Promise<unknown>) {
    const raw = await chain.rpc<{
      status: Hex;
      blockNumber: Hex;
      contractAddress: Hex | null;
      logs: (Omit<Log, 'blockNumber'> & { address: Hex })[];
    }>('eth_getTransactionReceipt', [hash]);
    if (raw.status !== '0x1') {
      const said = await again?.().then(
        () => 'no reason',
        (error: Error) => error.message,
      );
      throw new Refused(`${what}: ${said}`);
    }
    const block = Number(raw.blockNumber);
    return {
      hash,
      block,
      time: times[block]!,
      created: raw.contractAddress && lower(raw.contractAddress),
      logs: raw.logs.map((log) => ({ ...log, address: lower(log.address), blockNumber: block })),
    };
  }

  async function together(calls: readonly Call[]): Promise<Receipt[]> {
    return chain.exclusive(async () => {
      const sent: Hex[] = [];
      for (const { from, to, fn, args } of calls) {
        sent.push(await put(from, encode(to, fn, args), to.address));
      }
      await mine();
      const receipts: Receipt[] = [];
      for (const [i, { from, to, fn, args }] of calls.entries()) {
        const call = { from, to: to.address, data: encode(to, fn, args) };
        const before = `0x${(chain.tip.number - 1).toString(16)}`;
        receipts.push(
          await receiptOf(sent[i]!, `${fn}(${args.join(', ')}) by ${from}`, () =>
            chain.rpc('eth_call', [call, before]),
          ),
        );
      }
      return receipts;
    });
  }

  return {
    chainId: options.chainId,
    url: server.url,
    tip: chain.tip,
    together,
    mine: () => chain.exclusive(mine),
    advance: (seconds) => {
      wait += seconds;
    },
    rpc: (method, params) => chain.rpc(method, params),
    async deploy(from, artifact, args = []) {
      const data = encodeDeployData({ ...artifact, args });
      const receipt = await chain.exclusive(async () => {
        const hash = await put(from, data);
        await mine();
        return receiptOf(hash, 'deployment', () => chain.rpc('eth_call', [{ from, data }]));
      });
      return { address: receipt.created!, abi: artifact.abi };
    },
    async send(from, to, fn, args) {
      const [receipt] = await together([{ from, to, fn, args }]);
      return receipt!;
    },
    async read<T>(to: Contract, fn: string, args: readonly unknown[] = [], block?: number) {
      const at = block ?? chain.tip.number;
      const data = encode(to, fn, args);
      const key = `${at} ${to.address} ${data}`;
      // A block never changes while it exists, so each call is sent once per block.
      const answer = answers.get(key) ?? chain.call(to.address, data, at);
      answers.set(key, answer);
      return decodeFunctionResult({
        abi: to.abi,
        functionName: fn,
        args,
        data: await answer,
      } as never) as T;
    },
    async rewind(depth) {
      const base = times[chain.tip.number - depth]!;
      await chain.reorg({ depth, blocks: [{ timestamp: base + 1 }] });
      times.length = chain.tip.number + 1;
      times[chain.tip.number] = chain.tip.time;
      answers.clear();
      actors.clear();
    },
    blockAt: (at) => times.findLastIndex((time) => time <= at),
    timeOf: (block) => times[block]!,
    async logs(address, topic) {
      const found = await chain.rpc<(Omit<Log, 'blockNumber'> & { blockNumber: Hex })[]>(
        'eth_getLogs',
        [{ address, topics: [topic], fromBlock: '0x0', toBlock: 'latest' }],
      );
      return found.map((log) => ({ ...log, address, blockNumber: Number(log.blockNumber) }));
    },
    close: () => server.close(),
  };
}

type Prepared = ReturnType<typeof prepareEncodeFunctionData>;

/**
 * Caches functions with their selectors by name and argument kinds, because computing a selector is the slowest part of
 * a call.
 */
const prepared = new WeakMap<Abi, Map<string, Prepared>>();

function encode({ abi }: Contract, functionName: string, args: readonly unknown[]): Hex {
  const known = prepared.get(abi) ?? new Map<string, Prepared>();
  prepared.set(abi, known);
  const key = `${functionName} ${args.map((value) => typeof value)}`;
  const found = known.get(key) ?? prepareEncodeFunctionData({ abi, functionName, args } as never);
  known.set(key, found);
  return encodeFunctionData({ ...(found as object), args } as never);
}
