import { parseConfig } from '../config/load.ts';
import type { Address } from '../domain/hex.ts';
import { type RecognisedVault, recogniseVault } from '../vaults/recognise/index.ts';
import { groupFamilies } from './families.ts';
import { type FoundFeed, findFeed } from './feed.ts';
import { type FoundVault, findAround } from './findVault.ts';
import { InitRefused } from './initRefused.ts';
import { type AskedChain, type OpenChain, openChains } from './openChains.ts';
import { type ReportLine, reportChain, reportFamily, reportLookalikes } from './report.ts';
import { rpcReference } from './rpcReference.ts';
import { reportStateDepth } from './stateDepth.ts';
import { writeConfig } from './writeConfig.ts';

export interface InitRequest {
  readonly chains: readonly AskedChain[];
  /** `chain` is an id or a name; null: wherever it stands. */
  readonly vaults: readonly { readonly chain: string | null; readonly address: Address }[];
  readonly feeds: readonly {
    readonly name: string;
    readonly chain: string;
    readonly address: Address;
  }[];
}

export interface InitResult {
  /** The text of the file; it loads. */
  readonly text: string;
  readonly lines: readonly ReportLine[];
}

/** From RPC URLs and vault addresses to a configuration; whatever is in it was asked of the chains. */
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
    const text = writeConfig({ schema: options.schema, chains: used, feeds, families });
    // A file that does not load is our mistake, and nothing may be written then.
    parseConfig({ file: options.file, text, env: variablesOf(used) });
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

/** Each share token once, in the order in which its vaults were asked for. */
async function findVaults(
  { vaults: asked }: InitRequest,
  chains: readonly OpenChain[],
  notes: ReportLine[],
): Promise<FoundVault[]> {
  const recognised: { chain: OpenChain; vault: RecognisedVault }[] = [];
  for (const { chain, address } of asked) {
    const places = chain === null ? chains : [chainNamed(chains, chain, `--vault ${address}`)];
    recognised.push(...(await recogniseOn(places, address, notes)));
  }
  const shares = new Map<string, { chain: OpenChain; vaults: RecognisedVault[] }>();
  for (const { chain, vault } of recognised) {
    const key = `${chain.chainId} ${vault.share.address} ${vault.kind}`;
    const group = shares.get(key) ?? { chain, vaults: [] };
    shares.set(key, group);
    if (group.vaults.every(({ address }) => address !== vault.address)) group.vaults.push(vault);
  }
  const found: FoundVault[] = [];
  for (const { chain, vaults } of shares.values()) {
    // One that was asked for by itself may have come in already beside another of its share.
    const [first, ...rest] = vaults;
    found.push(await findAround(chain, first!, rest));
  }
  return found;
}

async function recogniseOn(
  places: readonly OpenChain[],
  address: Address,
  notes: ReportLine[],
): Promise<{ chain: OpenChain; vault: RecognisedVault }[]> {
  const found: { chain: OpenChain; vault: RecognisedVault }[] = [];
  const reasons: string[] = [];
  for (const chain of places) {
    const vault = await recogniseVault(chain.look, address);
    if (vault.kind !== null) found.push({ chain, vault });
    else {
      const reason = `${address} on ${chain.name} ${vault.reason}`;
      reasons.push(reason);
      if (!vault.empty) notes.push({ mark: 'missing', text: `${reason}; left out` });
    }
  }
  if (found.length === 0) throw new InitRefused(`${reasons.join('; ')}; correct --vault`);
  return found;
}

function chainNamed(chains: readonly OpenChain[], text: string, flag: string): OpenChain {
  const found = chains.find(({ chainId, name }) => `${chainId}` === text || name === text);
  if (found !== undefined) return found;
  const known = chains.map(({ chainId, name }) => `${chainId} (${name})`).join(', ');
  throw new InitRefused(
    `${flag} names the chain ${text}, but the nodes are of ${known}; correct it`,
  );
}

function variablesOf(chains: readonly OpenChain[]): Record<string, string> {
  return Object.fromEntries(
    chains.flatMap(({ name, urls }) =>
      urls.map((url, i) => [rpcReference(name, url, i).variable, url]),
    ),
  );
}
