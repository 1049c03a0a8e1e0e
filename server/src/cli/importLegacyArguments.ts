import { type FlagValues, readWholeNumber } from './flags.ts';
import { UsageError } from './usageError.ts';

export interface ImportLegacyArguments {
  readonly command: 'import-legacy';
  readonly family: string;
  readonly series: 'apy' | 'tvl';
  readonly file: string;
  /** APY values are percentages. */
  readonly percent: boolean;
  /** TVL values are decimal amounts of so many digits; null: base units. */
  readonly decimals: number | null;
}

export function readImportLegacy(flags: FlagValues): ImportLegacyArguments {
  const family = flags.get('family');
  if (family === undefined) {
    throw new UsageError('import-legacy needs the family; add --family SLUG');
  }
  const [apy, tvl] = [flags.get('apy'), flags.get('tvl')];
  const file = apy ?? tvl;
  if (file === undefined || (apy !== undefined && tvl !== undefined)) {
    throw new UsageError('import-legacy takes one series; add either --apy FILE or --tvl FILE');
  }
  const series = apy === undefined ? 'tvl' : 'apy';
  const percent = flags.has('percent');
  if (percent && series === 'tvl') throw new UsageError('--percent goes with --apy; remove it');
  if (flags.has('decimals') && series === 'apy') {
    throw new UsageError('--decimals goes with --tvl; remove it');
  }
  const decimals = readWholeNumber(flags, 'decimals', { from: 0, to: 77 }) ?? null;
  return { command: 'import-legacy', family, series, file, percent, decimals };
}
