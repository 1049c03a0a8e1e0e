import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { answerMessages } from '../vaultApi/worker.ts';
import type { PaymentWorld } from './paymentWorld.ts';

// The payment chain, in a separate process: a local chain with the stablecoin at its real address.
interface Wallet {
  readonly address: Hex;
  readonly privateKey: Hex;
}

const WEI = 10n ** 21n;
const UNITS = 10n ** 12n;
const PAYERS = 200;
const KEYS = 8;
/** An additional method on the chain's URL, which returns the share of idle time. */
const IDLE_METHOD = 'bench_idle';

const world = build();
answerMessages<object>(() => world);

async function build(): Promise<PaymentWorld> {
  const folder = new URL('../../../devnet/dist/', import.meta.url);
  const { createChain, deriveWallet, loadArtifacts } = await import(
    new URL('index.js', folder).href
  );
  const { MULTICALL, STABLECOIN } = await import(new URL('plan.js', folder).href);
  const artifacts = await loadArtifacts();
  const wallet = (label: string) => deriveWallet('payments', label) as Wallet;
  const operator = wallet('operator').address;
  const keys = Array.from({ length: KEYS }, (_, i) => wallet(`key ${i}`));
  const payers = Array.from({ length: PAYERS }, (_, i) => wallet(`payer ${i}`));
  const now = () => Math.floor(Date.now() / 1000);
  const chain = await createChain({
    chainId: 8453,
    genesisTime: now() - 100,
    actors: [operator],
    balances: [operator, ...keys.map(({ address }) => address)].map((address) => ({
      address,
      wei: WEI,
    })),
    code: [
      { address: STABLECOIN, code: artifacts.Stablecoin.deployedBytecode },
      { address: MULTICALL, code: artifacts.Multicall3.deployedBytecode },
    ],
  });
  // No reorgs here, and a chain with snapshots accepts fewer transactions.
  await chain.keepSnapshots(false);
  const abi = parseAbi(['function initialize(address)', 'function mint(address, uint256)']);
  const initialise = encodeFunctionData({ abi, functionName: 'initialize', args: [operator] });
  await chain.send({ from: operator, to: STABLECOIN, data: initialise });
  await chain.mine(now());
  for (const { address } of payers) {
    const data = encodeFunctionData({ abi, functionName: 'mint', args: [address, UNITS] });
    await chain.send({ from: operator, to: STABLECOIN, data });
  }
  await chain.mine(now());
  const { serveRpc } = await import(new URL('rpcServer.js', folder).href);
  const meter = createMeter();
  chain.controls.set(IDLE_METHOD, async () => meter.take());
  const handle = (body: string): Promise<string> =>
    body.includes('eth_sendRawTransaction')
      ? meter.during(() => chain.handle(body))
      : chain.handle(body);
  const { url } = await serveRpc({ host: '127.0.0.1', port: 0, handle });
  return {
    url,
    keys: keys.map(({ privateKey }) => privateKey),
    payers,
    multicall: MULTICALL.toLowerCase(),
    terms: {
      chainId: 8453,
      asset: STABLECOIN.toLowerCase(),
      assetName: 'USD Coin',
      assetVersion: '2',
      payTo: wallet('payTo').address.toLowerCase() as Hex,
      maxTimeoutSeconds: 300,
    },
  };
}

/** Measures the share of time between the first and the last transaction in which the chain was idle. */
function createMeter() {
  let open = 0;
  let first: number | undefined;
  let last = 0;
  let idle = 0;

  return {
    async during<T>(work: () => Promise<T>): Promise<T> {
      const now = performance.now();
      if (first === undefined) first = now;
      else if (open === 0) idle += now - last;
      open += 1;
      try {
        return await work();
      } finally {
        open -= 1;
        last = performance.now();
      }
    },
    /** Returns the share since the last call. */
    take(): number {
      const share = first === undefined ? 0 : idle / (last - first);
      first = undefined;
      idle = 0;
      return share;
    },
  };
}
