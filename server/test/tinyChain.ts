import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CANCUN,
  ContractDecoder,
  EdrContext,
  GENERIC_CHAIN_TYPE,
  genericChainProviderFactory,
  l1GenesisState,
  l1HardforkFromString,
  MineOrdering,
} from '@nomicfoundation/edr';
import type { Address, Hex } from '../src/domain/hex.ts';

/** A real chain in this process, with a JSON-RPC URL on loopback. */
export interface TinyChain {
  readonly url: string;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  setCode(address: Address, code: Hex): Promise<void>;
  /** Sends each call in order and mines them into one block with that timestamp. */
  mine(block: { time: number; calls?: readonly { to: Address; data: Hex }[] }): Promise<void>;
  close(): Promise<void>;
}

const SENDER = '0x1000000000000000000000000000000000000001';

let shared: Promise<EdrContext> | undefined;

/** The engine can be created only once per process. */
function engine(): Promise<EdrContext> {
  shared ??= (async () => {
    const context = new EdrContext();
    await context.registerProviderFactory(GENERIC_CHAIN_TYPE, genericChainProviderFactory());
    return context;
  })();
  return shared;
}

export async function createTinyChain(options: {
  chainId: number;
  startTime: number;
}): Promise<TinyChain> {
  const context = await engine();
  const genesisState = l1GenesisState(l1HardforkFromString(CANCUN));
  genesisState.push({ address: Buffer.from(SENDER.slice(2), 'hex'), balance: 10n ** 30n });
  const provider = await context.createProvider(
    GENERIC_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: true,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      blockGasLimit: 60_000_000n,
      chainId: BigInt(options.chainId),
      coinbase: Buffer.alloc(20, 1),
      precompileOverrides: [],
      genesisState,
      hardfork: CANCUN,
      initialDate: BigInt(options.startTime),
      initialBaseFeePerGas: 0n,
      minGasPrice: 0n,
      mining: { autoMine: false, memPool: { order: MineOrdering.Fifo } },
      networkId: BigInt(options.chainId),
      observability: {},
      ownedAccounts: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    ContractDecoder.withContracts({}),
  );

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const answer = Array.isArray(body) ? await Promise.all(body.map(handle)) : await handle(body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await rpc('hardhat_impersonateAccount', [SENDER]);
  return { url: `http://127.0.0.1:${port}`, rpc, setCode, mine, close };

  async function handle(request: { id: unknown }): Promise<{ result?: unknown; error?: unknown }> {
    const response = await provider.handleRequest(JSON.stringify(request));
    const answer = typeof response.data === 'string' ? JSON.parse(response.data) : response.data;
    // The engine responds without the request's id.
    return { ...answer, id: request.id };
  }

  async function rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answer = await handle({ ...{ jsonrpc: '2.0', method, params }, id: 1 });
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  async function setCode(address: Address, code: Hex): Promise<void> {
    await rpc('hardhat_setCode', [address, code]);
  }

  async function mine(block: {
    time: number;
    calls?: readonly { to: Address; data: Hex }[];
  }): Promise<void> {
    for (const call of block.calls ?? []) {
      await rpc('eth_sendTransaction', [{ from: SENDER, gas: '0x186a0', ...call }]);
    }
    await rpc('evm_setNextBlockTimestamp', [block.time]);
    await rpc('evm_mine');
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
