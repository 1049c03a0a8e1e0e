import { type ExitTerms, getExitTerms } from '@assay/client';
import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { parseDecimal, scaleExactly } from '../domain/decimalText.ts';
import { renderCsv } from '../terminal/csv.ts';
import { amountText, exactAmount, percentText, UNKNOWN } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import { plain } from '../terminal/text.ts';
import { spanText } from '../terminal/times.ts';
import { findBaseAsset } from './read/baseAsset.ts';
import { getChainNames, type NameOfChain } from './read/chainNames.ts';
import { familyPage } from './read/pages.ts';
import { defineRead, needed } from './read/readCommand.ts';

interface ExitPage {
  readonly terms: ExitTerms;
  readonly nameOf: NameOfChain;
}
type ChainTerms = ExitTerms['chains'][number];

export const command = defineRead({
  usage: 'exit SLUG',
  details:
    'Shows for each chain whether a redemption is paid at once or queued, the amount that can be withdrawn now, the queue, measured wait times, and the exit fee. Limits and fees are read live from the chains.',
  examples: ['exit svcusd --assets 2500', 'exit svcusd --json'],
  flags: {
    assets: { value: 'AMOUNT', text: 'Amount of the base asset to redeem, such as 2500.5' },
  },
  argument: 'SLUG',
  read: (flags, slug) => ({
    slug: needed(slug, 'family', 'exit svcusd --assets 2500'),
    assets: readAmount(flags),
  }),
  family: ({ slug }) => slug,
  page: ({ slug }) => familyPage(slug),
  async ask(client, { slug, assets }): Promise<ExitPage> {
    const base = assets === undefined ? undefined : await findBaseAsset(client, slug);
    const units = base && scaleExactly(assets!, base.decimals);
    if (base !== undefined && units === undefined) {
      throw new UsageError(`--assets has more than ${base.decimals} decimals; shorten it`);
    }
    const [terms, nameOf] = await Promise.all([
      getExitTerms(client, { slug, ...(units !== undefined && { assets: `${units}` }) }),
      getChainNames(client),
    ]);
    return { terms, nameOf };
  },
  json: ({ terms }) => terms,
  csv: ({ terms: { chains } }) =>
    renderCsv<ChainTerms>(
      [
        { name: 'chainId', value: ({ chainId }) => chainId },
        { name: 'vault', value: ({ vault }) => vault },
        { name: 'asset', value: ({ baseAssetSymbol }) => baseAssetSymbol },
        { name: 'outcome', value: ({ outcome }) => outcome },
        { name: 'instant', value: (row) => exact(row, row.instantAssets) },
        { name: 'queued', value: (row) => exact(row, row.queuedAssets) },
        { name: 'withdrawable', value: (row) => exact(row, row.withdrawableAssets) },
        { name: 'idle', value: (row) => exact(row, row.idleAssets) },
        { name: 'queueRequests', value: ({ queue }) => queue.requests },
        { name: 'queueAssets', value: (row) => exact(row, row.queue.assets) },
        { name: 'medianSeconds', value: ({ measuredWait }) => measuredWait.medianSeconds },
        { name: 'p90Seconds', value: ({ measuredWait }) => measuredWait.p90Seconds },
        { name: 'exitFeePct', value: ({ exitFeePct }) => exitFeePct },
        { name: 'paused', value: ({ paused }) => (paused === null ? null : `${paused}`) },
      ],
      chains,
    ),
  show({ terms: { family, chains }, nameOf }, screen) {
    const { bold, dim, yellow } = screen.style;
    const amount = (of: (row: ChainTerms) => string | null) => (row: ChainTerms) =>
      amountText(of(row), row.baseAssetDecimals);
    const right = true as const;
    const notes = chains.flatMap((row) => notesOf(row, nameOf));
    return [
      bold(`${plain(family)}: exit terms`),
      ...renderTable<ChainTerms>(
        [
          { title: 'CHAIN', value: ({ chainId }) => nameOf(chainId), narrow: 8 },
          {
            title: 'OUTCOME',
            value: ({ outcome }) => outcome ?? UNKNOWN,
            paint: (text, { outcome }) => (outcome === 'instant' ? text : yellow(text)),
          },
          { title: 'AT ONCE', value: amount(({ instantAssets }) => instantAssets), right },
          { title: 'QUEUED', value: amount(({ queuedAssets }) => queuedAssets), right, spare: 1 },
          {
            title: 'WITHDRAWABLE',
            value: amount(({ withdrawableAssets }) => withdrawableAssets),
            right,
          },
          { title: 'ASSET', value: ({ baseAssetSymbol }) => baseAssetSymbol, narrow: 6 },
          { title: 'AHEAD', value: ({ queue }) => `${queue.requests}`, right, spare: 2 },
          {
            title: 'WAIT 50%',
            value: ({ measuredWait }) => spanText(measuredWait.medianSeconds),
            right,
          },
          {
            title: '90%',
            value: ({ measuredWait }) => spanText(measuredWait.p90Seconds),
            right,
            spare: 3,
          },
          {
            title: 'FEE',
            value: ({ exitFeePct }) => percentText(exitFeePct === null ? null : exitFeePct / 100),
            right,
            spare: 4,
          },
        ],
        chains,
        screen,
      ),
      ...(notes.length === 0 ? [] : ['', ...notes.map(dim)]),
    ];
  },
  notes: ({ terms, nameOf }) =>
    terms.incompleteChains.map((chainId) => `incomplete: ${nameOf(chainId)} could not be read`),
});

function notesOf(
  { chainId, paused, periods, deposits, ...row }: ChainTerms,
  nameOf: NameOfChain,
): string[] {
  const max = deposits?.maxAssets;
  const facts = [
    ...(paused ? ['paused'] : []),
    ...periods.map(({ name, seconds }) => `${plain(name)} ${spanText(seconds)}`),
    ...(max == null
      ? []
      : [`deposits up to ${amountText(max, row.baseAssetDecimals)} ${plain(row.baseAssetSymbol)}`]),
  ];
  return facts.length === 0 ? [] : [`${nameOf(chainId)}: ${facts.join(', ')}`];
}

function exact({ baseAssetDecimals }: ChainTerms, units: string | null): string {
  return exactAmount(units, baseAssetDecimals);
}

function readAmount(flags: FlagValues) {
  const text = flags.get('assets');
  if (text === undefined) return undefined;
  const amount = parseDecimal(text);
  if (amount !== undefined && amount.value > 0n) return amount;
  throw new UsageError('--assets must be an amount above 0, such as 2500.5; correct it');
}
