import { RpcError } from '../chain/rpcError.ts';
import type { Config, FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import type { RatedConfig } from '../config/rated/description.ts';
import { type Address, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need, Unanswered } from './ask.ts';
import { type ChainReader, createChainReader } from './chainReader.ts';
import { type Deployment, masterOf, vaultsOf } from './deployment.ts';
import { findExitQueue } from './findEscrows.ts';
import type { Declaration } from './pools.ts';
import { askDescribed, takeRatedLog } from './rated.ts';
import { declarationOf, POOL_DECLARED } from './registryLogs.ts';
import { createVaultLogStore, TRANSFER, type VaultLogs, wordOf } from './vaultLogs.ts';

/** Families on chains, read once per run, and again only when more of the chain is needed. */
export interface Deployments {
  /** With all logs up to a block; throws NotReadable. */
  load(family: FamilyConfig, chainId: number, needed: Needed): Promise<Deployment>;
  /** The reader of a chain; throws NotReadable if it has no URL or has failed before. */
  reader(chainId: number): ChainReader;
  /** Later reads are made again. */
  forget(): void;
  close(): void;
}

export interface Needed {
  readonly block: number;
}

/** A chain cannot be checked; the message is safe to show. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable';
  /** Whether every other read of that chain will fail too. */
  readonly lasting: boolean;

  constructor(message: string, lasting = false) {
    super(message);
    this.lasting = lasting;
  }
}

interface Loaded {
  readonly deployment: Deployment;
  readonly head: number;
}

export function createDeployments(config: Pick<Config, 'chains' | 'families'>): Deployments {
  const readers = new Map<number, ChainReader>();
  const known = new Map<string, Loaded>();
  // An RPC endpoint that failed after several attempts must not delay every family.
  const dead = new Map<number, NotReadable>();
  return {
    async load(family, chainId, { block }) {
      const key = `${family.slug} ${chainId}`;
      let loaded = known.get(key);
      if (loaded === undefined || loaded.head < block) {
        loaded = await readable(() => read(family, chainId)).catch((error: unknown) => {
          if (error instanceof NotReadable && error.lasting) dead.set(chainId, error);
          throw error;
        });
        known.set(key, loaded);
      }
      if (loaded.head >= block) return loaded.deployment;
      throw new NotReadable('its RPC endpoint is behind the store; try again later');
    },
    reader: readerOf,
    forget: () => known.clear(),
    close() {
      for (const reader of readers.values()) reader.close();
    },
  };

  async function read(family: FamilyConfig, chainId: number): Promise<Loaded> {
    const named = family.chains.find((one) => one.chainId === chainId);
    if (named === undefined) throw new NotReadable('the family is no longer configured on it');
    const reader = readerOf(chainId);
    const { number: head } = await reader.head();
    if (named.rated !== undefined) return readDescribed(family, named, named.rated, reader, head);
    const ask = reader.askAt(head);
    const exits = await findExitQueue(ask, named.address);
    const chain = { ...named, custody: [...new Set([...named.custody.map(lower), ...exits])] };
    const own = await ask<Address>(chain.address, 'share() view returns (address)');
    const share = lower(own ?? chain.address);
    const shareDecimals = await need<number>(ask, share, 'decimals() view returns (uint8)');
    const vaults = vaultsOf(chain);
    const range = { fromBlock: chain.startBlock, toBlock: head };
    const logStore = createVaultLogStore(share, vaults);
    const take = (logs: Parameters<Parameters<ChainReader['logs']>[1]>[0]) => {
      for (const log of logs) logStore.take(log);
    };
    // Every event of the vaults, so that unknown ones are found too.
    await reader.logs({ ...range, filter: { addresses: vaults } }, take);
    if (!vaults.includes(share)) {
      await reader.logs({ ...range, filter: { addresses: [share], topics: [[TRANSFER]] } }, take);
    }
    if (burnsFromCustody(logStore.logs, chain)) {
      const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
      const payers = [...vaults, ...chain.custody].map(wordOf);
      const filter = { addresses: [lower(asset)], topics: [[TRANSFER], payers] };
      await reader.logs({ ...range, filter }, (logs) => {
        for (const log of logs) logStore.takePayment(log);
      });
    }
    const declarations: Declaration[] = [];
    if (chain.registry !== undefined) {
      const filter = { addresses: [lower(chain.registry)], topics: [[POOL_DECLARED]] };
      await reader.logs({ ...range, filter }, (logs) => {
        for (const log of logs) {
          const declared = declarationOf(log);
          if (declared !== undefined) declarations.push(declared);
        }
      });
    }
    const master = masterOf(config.families, family);
    const { askAt, storageAt } = reader;
    const facts = {
      family,
      chain,
      master,
      share,
      shareDecimals,
      logs: logStore.logs,
      declarations,
    };
    return { deployment: { ...facts, askAt, storageAt, reader }, head };
  }

  /** A share token that the configuration describes. */
  async function readDescribed(
    family: FamilyConfig,
    chain: FamilyChainConfig,
    rated: RatedConfig,
    reader: ChainReader,
    head: number,
  ): Promise<Loaded> {
    const { share, ledger, flows } = rated;
    const decimals = 'decimals() view returns (uint8)';
    const shareDecimals = await need<number>(reader.askAt(head), share, decimals);
    const logStore = createVaultLogStore(share, [chain.address]);
    const addresses = [...new Set([share, ...flows.map(({ contract }) => contract)])];
    const burns = ledger.burn === null ? [] : [ledger.burn.topic];
    const topics = [[...new Set([ledger.topic, ...burns, ...flows.map(({ topic }) => topic)])]];
    const range = { fromBlock: chain.startBlock, toBlock: head };
    await reader.logs({ ...range, filter: { addresses, topics } }, (logs) => {
      for (const log of logs) takeRatedLog(rated, logStore, log);
    });
    const askAt = (block: number) =>
      askDescribed({
        ...{ rated, shareDecimals, address: chain.address },
        ...{
          ask: reader.askAt(block),
          call: reader.callAt(block),
          time: () => reader.timeAt(block),
        },
      });
    const facts = { family, chain, master: null, share, shareDecimals, logs: logStore.logs };
    const { storageAt } = reader;
    return { deployment: { ...facts, declarations: [], askAt, storageAt, reader }, head };
  }

  function readerOf(chainId: number): ChainReader {
    const failed = dead.get(chainId);
    if (failed !== undefined) throw failed;
    let reader = readers.get(chainId);
    if (reader === undefined) {
      const chain = config.chains.find((one) => one.chainId === chainId);
      if (!chain?.rpcUrls.length) throw new NotReadable('it has no RPC URL');
      reader = createChainReader(chain);
      readers.set(chainId, reader);
    }
    return reader;
  }
}

function burnsFromCustody({ transfers }: VaultLogs, { custody }: FamilyChainConfig): boolean {
  const named = new Set(custody.map(lower));
  return transfers.some(({ from, to }) => named.has(from) && to === ZERO_ADDRESS);
}

/** Converts errors of reading a chain into NotReadable. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw new NotReadable(error.safeText, error.retry);
    if (error instanceof Unanswered) throw new NotReadable(error.message);
    throw error;
  }
}
