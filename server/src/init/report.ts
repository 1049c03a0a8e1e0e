import { getAddress } from 'viem';
import { KINDS } from '../vaults/index.ts';
import { type FamilyDraft, lookalikes } from './families.ts';
import type { FoundFeed } from './feed.ts';
import type { FoundVault } from './findVault.ts';
import type { OpenChain } from './openChains.ts';
import { rpcReference } from './rpcReference.ts';
import { feedNameOf } from './writeConfig.ts';

/** One line for the operator: what was found, what must be filled in, and what can be. */
export interface ReportLine {
  readonly mark: 'found' | 'missing' | 'maybe';
  readonly text: string;
}

export function reportChain({ chainId, name, urls, look, ...chain }: OpenChain): ReportLine[] {
  const lines = [found(`chain ${chainId} (${name}): head ${look.block}`)];
  if (!chain.hasMulticall) {
    lines.push(found(`chain ${chainId} (${name}): no Multicall3, so each read is a request`));
  }
  for (const [i, url] of urls.entries()) {
    const { variable, bare } = rpcReference(name, url, i);
    if (!bare) continue;
    const why = 'its URL carries a key, so the file only names the variable';
    lines.push(missing(`chains: export ${variable} before you start; ${why}`));
  }
  return lines;
}

export function reportFamily(
  family: FamilyDraft,
  index: number,
  feeds: readonly FoundFeed[],
): ReportLine[] {
  const { slug, feederOf, feed } = family;
  const lines = family.chains.flatMap((one, i) =>
    reportPlace(slug, one, `families[${index}].chains[${i}]`),
  );
  if (feederOf !== null) lines.push(found(`${slug}: feeds ${feederOf}, whose shares it holds`));
  if (feed !== null) lines.push(found(`${slug}: priced by the feed ${feed}`));
  else {
    const { vault, chain } = family.chains[0]!;
    const name = feedNameOf(family);
    const unused = feeds.map((one) => one.name).join(', ');
    const how = `give it with --feed ${name}=${chain.chainId}:ADDRESS`;
    const or = unused === '' ? '' : `, or set priceFeed to one of ${unused}`;
    const symbol = vault.asset.symbol ?? 'the base asset';
    lines.push(
      missing(
        `families[${index}].priceFeed: a USD feed of ${symbol}; ${how}${or}; without it no USD`,
      ),
    );
  }
  return lines;
}

function reportPlace(slug: string, place: FoundVault, path: string): ReportLine[] {
  const { vault, chain, further, startBlock, custody, routers, allocator } = place;
  const at = `${slug} on ${chain.name}`;
  const { implementation } = vault;
  const through =
    implementation === null
      ? ''
      : `, behind a ${implementation.by} to ${show(implementation.address)}`;
  const shareAt = vault.share.address === vault.address ? '' : ` at ${show(vault.share.address)}`;
  return [
    found(`${at}: ${vault.kind} at ${show(vault.address)}, by ${vault.by}${through}`),
    found(
      `${at}: share ${token(vault.share)}${shareAt} over ${token(vault.asset)} at ${show(vault.asset.address)}`,
    ),
    startBlock === null
      ? missing(
          `${path}.startBlock: the block that created the vault; this node keeps no old state, and the past needs an archive node`,
        )
      : found(`${at}: first block ${startBlock}`),
    ...further.map((one) =>
      found(
        `${at}: further vault ${show(one.address)} over the same share, for ${token(one.asset)}`,
      ),
    ),
    ...custody.map(({ address, by }) => found(`${at}: custody ${show(address)}, by ${by}`)),
    ...routers.map((one) => found(`${at}: router ${show(one)}, shares only pass through it`)),
    ...(allocator === null ? [] : [found(`${at}: allocator ${allocator}`)]),
    ...reportPrice(at, place, path),
  ];
}

function reportPrice(at: string, { vault, price, routers }: FoundVault, path: string) {
  if (KINDS[vault.kind].price !== 'published') return [];
  const optional = [
    maybe(
      `${path}.registry: the pool registry, if one declares the vault's pools; no contract names it`,
    ),
    ...(routers.length > 0
      ? []
      : [maybe(`${path}.routers: gateways that move shares for others; no log tells of one`)]),
  ];
  if (price === null) {
    return [
      missing(
        `${path}.oracle: the share-price oracle; the vault names none and cannot be read without`,
      ),
      ...optional,
    ];
  }
  const { oracle, oracleBy, entry, entryBy, proven } = price;
  const whose = entryBy === null ? 'its own entry' : `the entry of ${show(entry)} (${entryBy})`;
  const text = `oracle ${show(oracle)} by ${oracleBy}, ${whose}`;
  if (proven) return [found(`${at}: ${text}, proven by convertToAssets()`), ...optional];
  if (price.price === null) {
    return [found(`${at}: ${text}, where no price is published yet`), ...optional];
  }
  return [
    missing(`${path}.oracle: ${text} has another price than convertToAssets(); name the right one`),
    ...optional,
  ];
}

export function reportLookalikes(families: readonly FamilyDraft[]): ReportLine[] {
  return lookalikes(families).map(([a, b]) =>
    missing(
      `${a.slug} and ${b.slug} have the same share symbol on different chains; if they are one vault, move the chains of one into the other, with their address`,
    ),
  );
}

function token({ symbol, decimals }: { symbol: string | null; decimals: number }): string {
  return `${symbol ?? 'without symbol'} (${decimals} decimals)`;
}

function show(address: string): string {
  return getAddress(address);
}

function found(text: string): ReportLine {
  return { mark: 'found', text };
}

function missing(text: string): ReportLine {
  return { mark: 'missing', text };
}

function maybe(text: string): ReportLine {
  return { mark: 'maybe', text };
}
