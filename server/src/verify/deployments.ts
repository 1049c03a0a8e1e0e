import type { Config, FamilyConfig } from '../config/config.ts';
import { type ChainReader, createChainReader } from './chainReader.ts';
import type { Deployment } from './deployment.ts';
import { NotReadable, readable } from './notReadable.ts';
import { readDeployment } from './readDeployment.ts';

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
    return { deployment: await readDeployment(config.families, family, named, reader, head), head };
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
