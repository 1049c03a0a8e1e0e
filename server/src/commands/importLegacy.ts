import { type FlagValues, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { importLegacy } from '../ingest/legacy/legacyImport.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { openStore } from '../store/open.ts';
import { CONFIG, defineCommand, type Terminal } from './command.ts';
import { configOf } from './configOf.ts';

interface ImportLegacyArguments {
  readonly family: string;
  readonly series: 'apy' | 'tvl';
  readonly file: string;
  /** APY values are percentages. */
  readonly percent: boolean;
  /** Decimals of the TVL values; null: values are in base units. */
  readonly decimals: number | null;
}

export const command = defineCommand<ImportLegacyArguments>({
  usage: 'assay import-legacy --family SLUG (--apy FILE | --tvl FILE) [--config FILE]',
  details: [
    'FILE is JSON (an array of objects) or CSV (with a header row). Each row has a',
    'time (at, timestamp, date, or time: ISO 8601, Unix seconds, or milliseconds) and',
    'a value (value, apy, or tvl). TVL rows may have usd. One invalid row cancels the import.',
  ].join(' '),
  flags: {
    config: CONFIG,
    family: { value: 'SLUG', text: 'Family that the series belongs to' },
    apy: { value: 'FILE', text: 'APY series, as fractions: 0.045 is 4.5%' },
    percent: { text: 'The APY values are percentages' },
    tvl: { value: 'FILE', text: 'TVL series, in base units of the base asset' },
    decimals: { value: 'N', text: 'The TVL values are decimal amounts with N decimals' },
  },
  read,
  run,
});

function read(flags: FlagValues): ImportLegacyArguments {
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
  return { family, series, file, percent, decimals };
}

async function run(args: ImportLegacyArguments, terminal: Terminal): Promise<number> {
  const config = configOf(terminal);
  if (!config.families.some(({ slug }) => slug === args.family)) {
    throw new UsageError(`no family ${JSON.stringify(args.family)} in ${config.file}`);
  }
  const store = await openStore(config.store);
  try {
    const now = unixTime();
    const count = await importLegacy(store, { ...args, now });
    terminal.print(`imported ${count} data points of ${args.family}`);
    return 0;
  } finally {
    await store.close();
  }
}
