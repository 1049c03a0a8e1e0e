import './allocator.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  CANCUN,
  ContractDecoder,
  EdrContext,
  GENERIC_CHAIN_TYPE,
  genericChainProviderFactory,
  l1GenesisState,
  l1HardforkFromString,
  MineOrdering,
  PRAGUE,
} from '@nomicfoundation/edr';
import type { Address, Hex } from 'viem';

export interface EngineOptions {
  readonly chainId: number;
  readonly genesisTime: number;
  readonly balances: readonly { readonly address: Address; readonly wei: bigint }[];
  readonly code: readonly { readonly address: Address; readonly code: Hex }[];
  /** For contracts that exceed the size limit in this build. Default: off, as on real chains. */
  readonly allowUnlimitedContractSize?: boolean;
  /** Uses the Prague rules, under which accounts can have code (EIP-7702). Default: Cancun. */
  readonly prague?: boolean;
}

// A base fee of 7 wei does not fall (an eighth of it rounds to zero) and does not rise while blocks are half empty.
const BASE_FEE = 7n;
const BLOCK_GAS_LIMIT = 300_000_000n;

// Each response holds an execution trace of megabytes outside V8's heap until it is collected. V8 alone would collect too
// late, at several times the memory.
const ANSWERS_PER_COLLECTION = 200;

// The engine runs one request at a time; each further request would only hold a thread and memory while it waits.
const REQUESTS_AT_ONCE = 2;

export interface Engine {
  /** Runs a JSON-RPC request and returns `{"result":…}` or `{"error":…}`. */
  request(text: string): Promise<string>;
}

let collect: ((options: { type: 'minor' }) => void) | undefined;
let answers = 0;
/** One per process, also if test files in one process load this module again: the engine's logger cannot start twice. */
const shared = globalThis as { assayEdrContext?: Promise<EdrContext> };

/** Creates an EVM that mines only on request. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  shared.assayEdrContext ??= createContext();
  const edr = await shared.assayEdrContext;
  const hardfork = options.prague ? PRAGUE : CANCUN;
  const genesis = l1GenesisState(l1HardforkFromString(hardfork));
  for (const { address, wei } of options.balances) {
    genesis.push({ address: bytes(address), balance: wei });
  }
  for (const { address, code } of options.code) {
    genesis.push({ address: bytes(address), balance: 0n, code: bytes(code) });
  }
  const provider = await edr.createProvider(
    GENERIC_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: options.allowUnlimitedContractSize ?? false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      blockGasLimit: BLOCK_GAS_LIMIT,
      chainId: BigInt(options.chainId),
      networkId: BigInt(options.chainId),
      coinbase: bytes('0xc014ba5e00000000000000000000000000000000'),
      genesisState: genesis,
      hardfork,
      initialBaseFeePerGas: BASE_FEE,
      initialDate: BigInt(options.genesisTime),
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: { autoMine: false, memPool: { order: MineOrdering.Fifo } },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    {
      enable: false,
      decodeConsoleLogInputsCallback: () => [],
      printLineCallback: () => {},
    },
    { subscriptionCallback: () => {} },
    ContractDecoder.withContracts({}),
  );
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < REQUESTS_AT_ONCE) {
      running += 1;
      return;
    }
    // A finished request hands its slot over.
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async request(text) {
      await enter();
      try {
        const { data } = await provider.handleRequest(text);
        return typeof data === 'string' ? data : JSON.stringify(data);
      } finally {
        leave();
        answers += 1;
        if (answers % ANSWERS_PER_COLLECTION === 0) collectAnswers();
      }
    },
  };
}

function collectAnswers(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as typeof collect;
  }
  collect?.({ type: 'minor' });
}

async function createContext(): Promise<EdrContext> {
  const edr = new EdrContext();
  await edr.registerProviderFactory(GENERIC_CHAIN_TYPE, genericChainProviderFactory());
  return edr;
}

function bytes(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}
