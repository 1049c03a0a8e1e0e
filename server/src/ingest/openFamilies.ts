import type { ChainClient, Header } from '../chain/chainClient.ts';
import { planRead } from '../domain/governance/readPlan.ts';
import { custody } from '../store/custody/custody.ts';
import { governance } from '../store/governance/governance.ts';
import { type GovernanceRead, governanceReads } from '../store/governance/governanceReads.ts';
import type { SourceRow } from '../store/sources/sources.ts';
import type { Leadership, Store } from '../store/store.ts';
import type { VaultRow } from '../store/vaults/vaults.ts';
import { KINDS } from '../vaults/index.ts';
import { UnfitVault, type VaultOnChain } from '../vaults/kind.ts';
import { keepFacts } from './read/agreement.ts';
import { createFamilyReader, type FamilyReader } from './read/familyReader.ts';
import type { Reader } from './read/reader.ts';
import { NOTHING_STORED, readStoredSources } from './read/storedSource.ts';
import { NotAVault, readVaultFacts } from './read/vaultFacts.ts';
import { type FamilySource, masterOn } from './sources.ts';

export interface OpenOptions {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly chainId: number;
  readonly client: ChainClient;
  readonly head: Header;
}

export interface NamedFamily {
  readonly source: FamilySource;
  readonly familyId: number;
  readonly row: SourceRow;
}

/** What the contracts of a family report. */
export interface AskedVault {
  readonly facts: VaultRow;
  readonly vault: VaultOnChain;
}

interface AskedFamily extends NamedFamily, AskedVault {}

/**
 * Families that are opened together: their calls share requests, and their rows share statements. More would take longer
 * than other queries to the embedded database should wait.
 */
const OPENED_AT_ONCE = 64;

/** Opens the readers of a chain's families. Those whose contracts do not match the configuration are broken. */
export async function openFamilies(
  options: OpenOptions,
  named: readonly NamedFamily[],
  readers: Map<string, Reader>,
  broken: Map<string, string>,
): Promise<void> {
  const { store, chainId } = options;
  const governed = new Map(
    (await governanceReads.getOfChain(store, chainId)).map((one) => [one.key, one]),
  );
  for (let first = 0; first < named.length; first += OPENED_AT_ONCE) {
    const some = named.slice(first, first + OPENED_AT_ONCE);
    const asked = await askAll(options, some, broken);
    const kept = await keepAll(options, asked, broken);
    const opened = await openKept(options, kept);
    await beginGovernance(options, opened, governed);
    for (const reader of opened) readers.set(reader.source.key, reader);
  }
}

async function askAll(
  options: OpenOptions,
  named: readonly NamedFamily[],
  broken: Map<string, string>,
): Promise<AskedFamily[]> {
  const asked = await Promise.all(
    named.map(async (one) => {
      try {
        return { ...one, ...(await askVault(options, one)) };
      } catch (error) {
        if (!isUnfit(error)) throw error;
        broken.set(one.source.key, error.message);
        return undefined;
      }
    }),
  );
  return asked.filter((one) => one !== undefined);
}

/** Throws an error for which `isUnfit` is true if the contracts do not match the configuration. */
export async function askVault(
  { client, head }: Pick<OpenOptions, 'client' | 'head'>,
  { source, familyId }: Pick<NamedFamily, 'source' | 'familyId'>,
): Promise<AskedVault> {
  const { family, chain } = source;
  const facts = await readVaultFacts(client, source, familyId, head.number);
  const { asset, assetDecimals, share, shareDecimals } = facts;
  const master = source.master === null ? null : masterOn(source.master, chain.chainId);
  const vault = { family, chain, master, asset, assetDecimals, share, shareDecimals };
  const found = await KINDS[family.adapter].discover(client, head.number, vault);
  return { facts, vault: { ...vault, found } };
}

/** Stores what the contracts report. */
async function keepAll(
  { leadership, chainId }: OpenOptions,
  asked: readonly AskedFamily[],
  broken: Map<string, string>,
): Promise<AskedFamily[]> {
  if (asked.length === 0) return [];
  const refused = await leadership.transaction(async (tx) => {
    const all = asked.map(({ source, facts }) => ({ family: source.family, facts }));
    const found = await keepFacts(tx, all);
    const holders = asked.flatMap(({ familyId, row, vault }) => {
      if (found.has(familyId)) return [];
      const place = { blockNumber: row.indexedBlock };
      return vault.found.custody.map((account) => ({ familyId, account, place }));
    });
    await custody.insert(tx, chainId, holders);
    return found;
  });
  return asked.filter(({ source, familyId }) => {
    const error = refused.get(familyId);
    if (error !== undefined) broken.set(source.key, error.message);
    return error === undefined;
  });
}

async function openKept(
  { store, chainId }: OpenOptions,
  kept: readonly AskedFamily[],
): Promise<FamilyReader[]> {
  const asked = kept.map(({ familyId, source, vault: { shareDecimals } }) => {
    return { familyId, shareDecimals, kind: KINDS[source.family.adapter] };
  });
  const storedOf =
    asked.length === 0 ? () => NOTHING_STORED : await readStoredSources(store, chainId, asked);
  return kept.map(({ source, facts, vault, familyId }) =>
    createFamilyReader(source, facts, vault, storedOf(familyId)),
  );
}

/** Runs before the first step, so that no block is skipped between earlier reads and the steps. */
async function beginGovernance(
  { leadership, chainId }: OpenOptions,
  opened: readonly FamilyReader[],
  governed: ReadonlyMap<string, GovernanceRead>,
): Promise<void> {
  const begun = opened.flatMap(({ source, familyId, governance: own }) => {
    const { key, fingerprint } = source;
    const now = { fingerprint, events: own.rules, contracts: own.addresses };
    const plan = planRead(governed.get(key)!, now);
    return plan === undefined ? [] : { key, familyId, ...plan };
  });
  if (begun.length === 0) return;
  await leadership.transaction(async (tx) => {
    for (const { familyId, forgets } of begun) {
      if (forgets) await governance.removeOfSource(tx, familyId, chainId);
    }
    await governanceReads.begin(tx, chainId, begun);
  });
}

/** Whether only this family is affected, because its contracts do not match the configuration. */
export function isUnfit(error: unknown): error is Error {
  return error instanceof NotAVault || error instanceof UnfitVault;
}
