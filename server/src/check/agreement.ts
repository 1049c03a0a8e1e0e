import type { RecognisedVault } from '../vaults/recognise/index.ts';
import { type CheckLine, fail } from './line.ts';
import type { Place } from './places.ts';

export interface CheckedVault {
  readonly place: Place;
  readonly vault: RecognisedVault;
}

/** Amounts of a family are added up over its chains: what must be alike on all of them. */
const ALIKE = {
  assetDecimals: ({ asset }: RecognisedVault) => asset.decimals,
  shareDecimals: ({ share }: RecognisedVault) => share.decimals,
  authority: ({ authority }: RecognisedVault) => authority,
} as const;

/** What no single chain can tell: whether a family is one vault, and whether a vault is one family's. */
export function checkAgreement(checked: readonly CheckedVault[]): CheckLine[] {
  const lines: CheckLine[] = [];
  const families = new Map<string, CheckedVault>();
  const shares = new Map<string, CheckedVault>();
  for (const one of checked) {
    const { place, vault } = one;
    const { slug } = place.family;
    const first = families.get(slug) ?? one;
    families.set(slug, first);
    for (const [what, of] of Object.entries(ALIKE)) {
      if (of(first.vault) === of(vault)) continue;
      const reason = `${what} of ${slug} is ${of(first.vault)} on chain ${first.place.chain.chainId} and ${of(vault)} on chain ${place.chain.chainId}`;
      lines.push(fail(place.key, reason, 'they must agree; make it a family of its own'));
    }
    const key = `${place.chain.chainId} ${vault.share.address}`;
    const other = shares.get(key);
    if (other === undefined) shares.set(key, one);
    else if (other.place.family !== place.family) {
      const reason = `its share token ${vault.share.address} is that of ${other.place.family.slug} too`;
      const fix = `put its vault under ${other.place.key}.vaults: one share token is one family`;
      lines.push(fail(place.key, reason, fix));
    }
  }
  return lines;
}
