import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  zeroAddress,
} from 'viem';
import { type DevChain, loadArtifacts, RpcFailure } from '../../devnet/src/index.ts';
import { type Address, lower } from '../src/domain/hex.ts';
import { packageCompiled } from './realVaults/packageCode.ts';

/**
 * Aggregators and a proxy in front of them, from one project, on a local chain. Transactions are mined with the next
 * block.
 */
export interface FeedKit {
  /** The proxy numbers its phases, so a return to an aggregator differs from never leaving it. */
  readonly counts: boolean;
  createAggregator(): Promise<Address>;
  createProxy(aggregator: Address): Promise<Address>;
  publish(aggregator: Address, answer: bigint): Promise<void>;
  change(proxy: Address, next: Address): Promise<void>;
}

const FEED = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
]);
const GAS = 8_000_000;

/** Our own small contracts. `phased` proxies number their phases; others do not. */
export async function ownFeeds(
  chain: DevChain,
  from: Address,
  proxy: 'PhasedFeedProxy' | 'FeedProxy',
): Promise<FeedKit> {
  const artifacts = await loadArtifacts();
  const own = parseAbi(['function transmit(int256)', 'function change(address)']);
  return {
    counts: proxy === 'PhasedFeedProxy',
    createAggregator: () => deploy(chain, from, artifacts.Aggregator!, ['test', from]),
    createProxy: (aggregator) => deploy(chain, from, artifacts[proxy]!, [aggregator]),
    publish: (to, answer) => send(chain, from, to, own, 'transmit', [answer]),
    change: (to, next) => send(chain, from, to, own, 'change', [next]),
  };
}

/** Chainlink's own contracts; the aggregators differ in their decimals. */
export async function chainlinkFeeds(chain: DevChain, from: Address): Promise<FeedKit> {
  const FluxAggregator = await packageCompiled('chainlink', 'FluxAggregator');
  const EACAggregatorProxy = await packageCompiled('chainlink', 'EACAggregatorProxy');
  let made = 0;
  /** Submitted rounds that are pending for the block after `hash`. */
  let waiting = { hash: '', rounds: new Map<Address, bigint>() };
  return {
    counts: true,
    async createAggregator() {
      const decimals = made++ % 2 === 0 ? 8 : 18;
      const most = 10n ** 40n;
      const args = [from, 0n, 60, zeroAddress, -most, most, decimals, 'test'];
      const aggregator = await deploy(chain, from, FluxAggregator, args);
      const oracles = [[], [from], [from], 1, 1, 0];
      await send(chain, from, aggregator, FluxAggregator.abi, 'changeOracles', oracles);
      return aggregator;
    },
    createProxy: (aggregator) => deploy(chain, from, EACAggregatorProxy, [aggregator, zeroAddress]),
    async publish(to, answer) {
      const { abi } = FluxAggregator;
      const { hash } = await chain.head();
      // Reads the round every time, because a reorg can remove rounds.
      if (hash !== waiting.hash) waiting = { hash, rounds: new Map() };
      const latest = encodeFunctionData({ abi, functionName: 'latestRound' });
      const last = waiting.rounds.get(to) ?? BigInt(await chain.call(to, latest));
      waiting.rounds.set(to, last + 1n);
      await send(chain, from, to, abi, 'submit', [last + 1n, answer]);
    },
    async change(to, next) {
      await send(chain, from, to, EACAggregatorProxy.abi, 'proposeAggregator', [next]);
      await send(chain, from, to, EACAggregatorProxy.abi, 'confirmAggregator', [next]);
    },
  };
}

/** Returns a feed's price at a block by calls alone; null if a reader of the contract would have no price. */
export async function priceOnChain(
  chain: DevChain,
  feed: Address,
  block: number,
  at: number,
  maxAge: number,
): Promise<{ value: bigint; decimals: number } | null> {
  const data = encodeFunctionData({ abi: FEED, functionName: 'latestRoundData' });
  const answered = await chain.call(feed, data, block).catch((error: unknown) => {
    if (error instanceof RpcFailure) return '0x';
    throw error;
  });
  if (answered === '0x') return null;
  const word = (index: number) => BigInt(`0x${answered.slice(2 + index * 64, 66 + index * 64)}`);
  const value = BigInt.asIntN(256, word(1));
  if (value <= 0n || BigInt(at) - word(3) > BigInt(maxAge)) return null;
  const decimals = await chain.call(
    feed,
    encodeFunctionData({ abi: FEED, functionName: 'decimals' }),
    block,
  );
  return { value, decimals: Number(decimals) };
}

async function deploy(
  chain: DevChain,
  from: Address,
  { abi, bytecode }: { readonly abi: Abi; readonly bytecode: Hex },
  args: readonly unknown[],
): Promise<Address> {
  const data = encodeDeployData({ abi, bytecode, args });
  const hash = await chain.send({ from, data, gas: GAS });
  await chain.mine(chain.tip.time + 60);
  const receipt = await chain.rpc<{ contractAddress: Address; status: Hex }>(
    'eth_getTransactionReceipt',
    [hash],
  );
  if (receipt.status !== '0x1') throw new Error('the contract was not deployed');
  return lower(receipt.contractAddress);
}

async function send(
  chain: DevChain,
  from: Address,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Promise<void> {
  await chain.send({ from, to, data: encodeFunctionData({ abi, functionName, args }) });
}
