import { getAddress } from 'viem';
import { KINDS } from '../vaults/index.ts';
import { describeUnseen } from '../vaults/recognize/unseenRedemptions.ts';
import { type FamilyDraft, lookalikes } from './families.ts';
import type { FoundFeed } from './feed.ts';
import type { DraftAsset, FoundVault } from './findVault.ts';
import type { OpenChain } from './openChains.ts';
import { reportRoles } from './ratedText.ts';
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
    lines.push(
      found(`chain ${chainId} (${name}): no Multicall3, so each read is a separate request`),
    );
  }
  for (const [i, url] of urls.entries()) {
    const { variable, bare } = rpcReference(name, url, i);
    if (!bare) continue;
    const why = 'its URL contains a key, so the file only names the variable';
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
  if (feederOf !== null)
    lines.push(found(`${slug}: invests in ${feederOf}, whose shares it holds`));
  if (feed !== null) lines.push(found(`${slug}: priced by the feed ${feed}`));
  else {
    const { vault, chain } = family.chains[0]!;
    const name = feedNameOf(family);
    const unused = feeds.map((one) => one.name).join(', ');
    const how = `add it with --feed ${name}=${chain.chainId}:ADDRESS`;
    const or = unused === '' ? '' : `, or set priceFeed to one of ${unused}`;
    const symbol = vault.asset.symbol ?? 'the base asset';
    lines.push(
      missing(
        `families[${index}].priceFeed: a USD feed of ${symbol}; ${how}${or}; without it, there are no USD values`,
      ),
    );
  }
  return lines;
}

function reportPlace(slug: string, place: FoundVault, path: string): ReportLine[] {
  const { vault, chain, further, startBlock, custody, routers, allocator, outsideQueue } = place;
  const at = `${slug} on ${chain.name}`;
  const { implementation } = vault;
  const through =
    implementation === null
      ? ''
      : `, behind a ${implementation.by} to ${show(implementation.address)}`;
  const shareAt = vault.share.address === vault.address ? '' : ` at ${show(vault.share.address)}`;
  const assetAt = vault.asset.address === null ? '' : ` at ${show(vault.asset.address)}`;
  return [
    found(`${at}: ${vault.kind} at ${show(vault.address)}, by ${vault.by}${through}`),
    found(`${at}: share ${token(vault.share)}${shareAt} over ${token(vault.asset)}${assetAt}`),
    startBlock === null
      ? missing(
          `${path}.startBlock: the block that created the vault; this RPC endpoint has no archive state, which the backfill needs`,
        )
      : found(`${at}: first block ${startBlock}`),
    ...further.map((one) =>
      found(
        `${at}: additional vault ${show(one.address)} over the same share, for ${token(one.asset)}`,
      ),
    ),
    ...custody.map(({ address, by }) => found(`${at}: custody ${show(address)}, by ${by}`)),
    ...routers.map((one) => found(`${at}: router ${show(one)}, which only passes shares on`)),
    ...(outsideQueue === null
      ? []
      : [
          found(
            `${at}: exit queue ${show(outsideQueue)}, by withdrawalQueue(); a redemption counts as paid when it is requested, and pending-redeems shows what the queue owes`,
          ),
        ]),
    ...(allocator === null ? [] : [found(`${at}: allocator ${allocator}`)]),
    ...(place.rated === undefined ? [] : reportRoles(at, place.rated, path)),
    ...reportOddities(at, place),
    ...reportPrice(at, place, path),
  ];
}

/** Warnings that would otherwise only show as odd values. */
function reportOddities(
  at: string,
  { vault, otherAssets, unseen, unseenRedemptions, wrapped }: FoundVault,
) {
  const lines: ReportLine[] = [];
  if (otherAssets.length > 0) {
    const names = otherAssets.map(({ symbol, address }) => symbol ?? show(address)).join(', ');
    const base = vault.asset.symbol ?? 'its base asset';
    lines.push(
      found(
        `${at}: accepts ${names} besides ${base}; a deposit or redemption in them counts as the value of its shares in ${base}`,
      ),
    );
  }
  if (wrapped !== null) {
    const { token: other, by, held, supply } = wrapped;
    lines.push(
      missing(
        `${at}: totalSupply() is that of ${show(other)} (${by}), so ${supply} shares and the TVL of all of them are served, of which its holders have at most ${held}`,
      ),
    );
  }
  if (unseen !== null && unseen.transactions.length > 0) {
    const count = unseen.transactions.length;
    lines.push(
      missing(
        `${at}: shares were bought without a Deposit event in ${count} of its newest transactions, such as ${unseen.transactions[0]}; their cost counts as 0`,
      ),
    );
  }
  const paidOut = describeUnseen(unseenRedemptions);
  if (paidOut !== null) {
    lines.push(
      missing(
        `${at}: ${paidOut}; these redemptions are missing, unless you describe their events with adapter: rated`,
      ),
    );
  }
  return lines;
}

function reportPrice(at: string, { vault, price, routers }: FoundVault, path: string) {
  if (KINDS[vault.kind].price !== 'published') return [];
  const optional = [
    maybe(
      `${path}.registry: the pool registry, if one declares the vault's pools; no contract names it`,
    ),
    ...(routers.length > 0
      ? []
      : [
          maybe(
            `${path}.routers: gateways that move shares for others; none was found in the logs`,
          ),
        ]),
  ];
  if (price === null) {
    return [
      missing(
        `${path}.oracle: the share-price oracle; the vault names none and cannot be read without it`,
      ),
      ...optional,
    ];
  }
  const { oracle, oracleBy, entry, entryBy, proven } = price;
  const whose = entryBy === null ? 'its own entry' : `the entry of ${show(entry)} (${entryBy})`;
  const text = `oracle ${show(oracle)} by ${oracleBy}, ${whose}`;
  if (proven) return [found(`${at}: ${text}, confirmed by convertToAssets()`), ...optional];
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

function token({ symbol, decimals }: Pick<DraftAsset, 'symbol' | 'decimals'>): string {
  return `${symbol ?? 'without symbol'} (${decimals ?? 'unknown'} decimals)`;
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
