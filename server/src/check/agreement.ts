import type { RecognizedVault } from '../vaults/recognize/index.ts';
import type { ConfigLocation } from './configLocation.ts';
import { type CheckLine, fail } from './line.ts';
import type { CheckedRated } from './rated/checkRated.ts';

export interface CheckedVault {
  readonly location: ConfigLocation;
  readonly vault: RecognizedVault | CheckedRated;
}

type Checked = CheckedVault['vault'];

/** What must be the same on all chains of a family, because its amounts are summed over them. */
const ALIKE = {
  assetDecimals: ({ asset }: Checked) => asset.decimals,
  shareDecimals: ({ share }: Checked) => share.decimals,
  authority: ({ authority }: Checked) => authority,
} as const;

/** Checks across chains: whether a family is one vault, and whether a vault belongs to one family. */
export function checkAgreement(checked: readonly CheckedVault[]): CheckLine[] {
  const lines: CheckLine[] = [];
  const families = new Map<string, CheckedVault>();
  const shares = new Map<string, CheckedVault>();
  for (const one of checked) {
    const { location, vault } = one;
    const { slug } = location.family;
    const first = families.get(slug) ?? one;
    families.set(slug, first);
    for (const [what, of] of Object.entries(ALIKE)) {
      if (of(first.vault) === of(vault)) continue;
      const reason = `${what} of ${slug} is ${of(first.vault)} on chain ${first.location.chain.chainId} and ${of(vault)} on chain ${location.chain.chainId}`;
      lines.push(fail(location.key, reason, 'they must be equal; make it a separate family'));
    }
    const key = `${location.chain.chainId} ${vault.share.address}`;
    const other = shares.get(key);
    if (other === undefined) shares.set(key, one);
    else if (other.location.family !== location.family) {
      const reason = `its share token ${vault.share.address} is also that of ${other.location.family.slug}`;
      const fix = `put its vault under ${other.location.key}.vaults: one share token is one family`;
      lines.push(fail(location.key, reason, fix));
    }
  }
  return lines;
}
