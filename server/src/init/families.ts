import type { FoundFeed } from './feed.ts';
import { isFeedOf } from './feed.ts';
import type { FoundVault } from './findVault.ts';

/** A family for the file: one vault on the chains where it was found. */
export interface FamilyDraft {
  readonly slug: string;
  readonly name: string;
  readonly chains: readonly FoundVault[];
  /** Slug of the family whose shares it holds and whose price it uses. */
  readonly feederOf: string | null;
  readonly feed: string | null;
}

/** The same address with the same tokens is one vault on several chains; anything else is a separate family. */
export function groupFamilies(
  found: readonly FoundVault[],
  feeds: readonly FoundFeed[],
): FamilyDraft[] {
  const groups: FoundVault[][] = [];
  for (const one of found) {
    const group = groups.find(([first]) => isSameVault(first!, one));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  const slugs = uniqueSlugs(groups.map(([first]) => first!));
  return groups.map((chains, i) => {
    const [first] = chains;
    const { share, asset } = first!.vault;
    const slug = slugs[i]!;
    const master = groups.findIndex((others) =>
      others.some(({ chain, vault }) =>
        chains.some((one) => one.chain === chain && one.feeds === vault.address),
      ),
    );
    return {
      slug,
      name: share.name ?? share.symbol ?? slug,
      chains,
      feederOf: master < 0 ? null : slugs[master]!,
      feed: feeds.find((feed) => isFeedOf(feed, asset.symbol))?.name ?? null,
    };
  });
}

function isSameVault(a: FoundVault, b: FoundVault): boolean {
  return (
    a.chain !== b.chain &&
    a.vault.kind === b.vault.kind &&
    a.vault.address === b.vault.address &&
    a.vault.asset.symbol === b.vault.asset.symbol &&
    a.vault.asset.decimals === b.vault.asset.decimals &&
    a.vault.share.symbol === b.vault.share.symbol &&
    a.vault.share.decimals === b.vault.share.decimals
  );
}

/** Pairs of families that look like one vault on two chains, without proof. */
export function lookalikes(families: readonly FamilyDraft[]): [FamilyDraft, FamilyDraft][] {
  return families.flatMap((a, i) =>
    families.slice(i + 1).flatMap((b): [FamilyDraft, FamilyDraft][] => {
      const symbols = [a, b].map(({ chains }) => chains[0]!.vault.share.symbol);
      const apart = a.chains.every((one) => b.chains.every(({ chain }) => one.chain !== chain));
      return apart && symbols[0] !== null && symbols[0] === symbols[1] ? [[a, b]] : [];
    }),
  );
}

function uniqueSlugs(found: readonly FoundVault[]): string[] {
  const taken = new Set<string>();
  const plain = found.map(({ vault }) => slugOf(vault.share.symbol, vault.address));
  return found.map(({ chain }, i) => {
    const twice = plain.filter((slug) => slug === plain[i]).length > 1;
    const wanted = twice ? `${plain[i]}-${chain.name}` : plain[i]!;
    let slug = wanted;
    for (let n = 2; taken.has(slug); n++) slug = `${wanted}-${n}`;
    taken.add(slug);
    return slug;
  });
}

function slugOf(symbol: string | null, address: string): string {
  const slug = (symbol ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return slug === '' ? `vault-${address.slice(2, 8)}` : slug;
}
