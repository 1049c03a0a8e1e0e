import { parseConfig } from '../config/load.ts';
import { findPreset, presetNames } from '../config/presets.ts';
import type { Address } from '../domain/hex.ts';
import {
  answersAnything,
  type NotRecognized,
  type RecognizedVault,
  recognizeVault,
} from '../vaults/recognize/index.ts';
import { whyUnseen } from '../vaults/recognize/unseenDeposits.ts';
import { groupFamilies } from './families.ts';
import { type FoundFeed, findFeed } from './feed.ts';
import { findPresets, findRoles, type NamedPreset, type PresetMatch } from './findPreset.ts';
import { describeRated, findAroundRated } from './findRated.ts';
import { type DraftVault, type FoundVault, findAround } from './findVault.ts';
import { InitRefused } from './initRefused.ts';
import { type AskedChain, type OpenChain, openChains } from './openChains.ts';
import { type ReportLine, reportChain, reportFamily, reportLookalikes } from './report.ts';
import { rpcReference } from './rpcReference.ts';
import { reportStateDepth } from './stateDepth.ts';
import { writeConfig } from './writeConfig.ts';

export interface InitRequest {
  readonly chains: readonly AskedChain[];
  /** `chain` is an id or a name; null: search every chain. */
  readonly vaults: readonly { readonly chain: string | null; readonly address: Address }[];
  readonly feeds: readonly {
    readonly name: string;
    readonly chain: string;
    readonly address: Address;
  }[];
  /** The preset of every vault; absent: detected from the contracts. */
  readonly preset?: string;
}

export interface InitResult {
  /** The text of the file; it is valid. */
  readonly text: string;
  readonly lines: readonly ReportLine[];
}

/** Creates a configuration from RPC URLs and vault addresses; everything in it was read from the chains. */
export async function draftConfig(
  request: InitRequest,
  options: { readonly file: string; readonly schema: string },
): Promise<InitResult> {
  const { chains, close } = await openChains(request.chains);
  try {
    const notes: ReportLine[] = [];
    const vaults = await findVaults(request, chains, notes);
    const feeds: FoundFeed[] = [];
    for (const { name, chain, address } of request.feeds) {
      feeds.push(await findFeed(name, chainNamed(chains, chain, `--feed ${name}`), address));
    }
    const families = groupFamilies(vaults, feeds);
    const used = chains.filter(
      (chain) =>
        vaults.some((one) => one.chain === chain) || feeds.some((one) => one.chain === chain),
    );
    const draft = { schema: options.schema, chains: used, feeds, families };
    // A file that does not load once it is filled in is our error, and must not be written.
    const filled = writeConfig({ ...draft, filled: true });
    parseConfig({ file: options.file, text: filled, env: variablesOf(used) });
    const text = writeConfig(draft);
    const depths: ReportLine[] = [];
    for (const chain of used) depths.push(...(await reportStateDepth(chain, vaults)));
    return {
      text,
      lines: [
        ...chains.flatMap(reportChain),
        ...notes,
        ...families.flatMap((family, i) => reportFamily(family, i, feeds)),
        ...reportLookalikes(families),
        ...depths,
      ],
    };
  } finally {
    close();
  }
}

interface Recognized {
  readonly chain: OpenChain;
  readonly vault: RecognizedVault | DraftVault;
  readonly rated?: PresetMatch;
}

/** Each share token once, in the order in which its vaults were requested. */
async function findVaults(
  request: InitRequest,
  chains: readonly OpenChain[],
  notes: ReportLine[],
): Promise<FoundVault[]> {
  const presets = presetsOf(request);
  const recognized: Recognized[] = [];
  for (const { chain, address } of request.vaults) {
    const places = chain === null ? chains : [chainNamed(chains, chain, `--vault ${address}`)];
    recognized.push(...(await recognizeOn(places, address, presets, notes)));
  }
  const shares = new Map<string, Recognized[]>();
  for (const one of recognized) {
    const key = `${one.chain.chainId} ${one.vault.share.address} ${one.vault.kind}`;
    const group = shares.get(key) ?? [];
    shares.set(key, group);
    if (group.every(({ vault }) => vault.address !== one.vault.address)) group.push(one);
  }
  const found: FoundVault[] = [];
  for (const [first, ...rest] of shares.values()) found.push(await around(first!, rest));
  return found;
}

async function around(
  { chain, vault, rated }: Recognized,
  rest: readonly Recognized[],
): Promise<FoundVault> {
  if (rated !== undefined) return findAroundRated(chain, vault, rated);
  // A requested vault may already be included with another of its share.
  const siblings = rest.map((one) => one.vault as RecognizedVault);
  const found = await findAround(chain, vault as RecognizedVault, siblings);
  const why = found.unseen && whyUnseen(found.unseen);
  if (why !== null) {
    throw new InitRefused(`${vault.address} on ${chain.name} ${why}; remove its --vault`);
  }
  return found;
}

interface AskedPresets {
  readonly known: readonly NamedPreset[];
  /** The operator's choice. */
  readonly chosen: NamedPreset | undefined;
}

function presetsOf({ preset }: InitRequest): AskedPresets {
  const known = presetNames().map((name) => ({ name, read: findPreset(name)! }));
  const chosen = known.find(({ name }) => name === preset);
  if (preset !== undefined && chosen === undefined) {
    const names = known.map(({ name }) => name).join(', ');
    throw new InitRefused(`--preset ${preset} is unknown; the presets are ${names}`);
  }
  return { known, chosen };
}

async function recognizeOn(
  places: readonly OpenChain[],
  address: Address,
  presets: AskedPresets,
  notes: ReportLine[],
): Promise<Recognized[]> {
  const found: Recognized[] = [];
  const reasons: string[] = [];
  let empty = true;
  for (const chain of places) {
    const one = await recognizeAt(chain, address, presets);
    if ('vault' in one) found.push(one);
    else {
      const reason = `${address} on ${chain.name} ${one.reason}`;
      reasons.push(reason);
      empty &&= one.empty;
      if (!one.empty) notes.push({ mark: 'missing', text: `${reason}; skipped` });
    }
  }
  if (found.length > 0) return found;
  const names = presets.known.map(({ name }) => name).join(', ');
  const how = `correct --vault${empty ? '' : `, or choose a preset with --preset NAME: ${names}`}`;
  throw new InitRefused(`${reasons.join('; ')}; ${how}`);
}

async function recognizeAt(
  chain: OpenChain,
  address: Address,
  { known, chosen }: AskedPresets,
): Promise<Recognized | NotRecognized> {
  const { look } = chain;
  const vault = await recognizeVault(look, address);
  if (vault.kind === null && vault.empty) return vault;
  const matches = chosen
    ? [{ preset: chosen, by: '--preset', roles: await findRoles(look, address, chosen) }]
    : await matchesOf(vault.kind ?? undefined);
  if (matches.length > 1) {
    const names = matches.map(({ preset }) => preset.name).join(' and ');
    throw new InitRefused(`${address} on ${chain.name} matches ${names}; choose one with --preset`);
  }
  const [rated] = matches;
  if (rated === undefined) return vault.kind === null ? vault : { chain, vault };
  const described = await describeRated(chain, address, rated);
  if (typeof described === 'string') return { kind: null, reason: described, empty: false };
  return { chain, vault: described, rated };

  async function matchesOf(over: string | undefined): Promise<PresetMatch[]> {
    if (await answersAnything(look, address)) return [];
    return findPresets(look, address, { presets: known, over });
  }
}

function chainNamed(chains: readonly OpenChain[], text: string, flag: string): OpenChain {
  const found = chains.find(({ chainId, name }) => `${chainId}` === text || name === text);
  if (found !== undefined) return found;
  const known = chains.map(({ chainId, name }) => `${chainId} (${name})`).join(', ');
  throw new InitRefused(
    `${flag} names the chain ${text}, but the RPC endpoints are of ${known}; correct it`,
  );
}

function variablesOf(chains: readonly OpenChain[]): Record<string, string> {
  return Object.fromEntries(
    chains.flatMap(({ name, urls }) =>
      urls.map((url, i) => [rpcReference(name, url, i).variable, url]),
    ),
  );
}
