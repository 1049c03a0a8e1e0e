import { type Client, getApySeries, getSharePriceSeries, getTvlSeries } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import { type FreeTool, objectOf } from './tool.ts';

const SERIES = { apy: getApySeries, tvl: getTvlSeries, price: getSharePriceSeries };
type Figure = keyof typeof SERIES;

/** More ticks than this are read as a resource. */
const MOST_INLINE = 100;
const MOST = 5_000;
/** In a link, where an end of the range is left open. */
const OPEN = '-';

/** A whole series: assay://vaults/svcusd/apy/day/2026-01-01/- */
export const SERIES_TEMPLATE = 'assay://vaults/{slug}/{figure}/{interval}/{from}/{to}';

interface Asked {
  readonly slug: string;
  readonly figure: Figure;
  readonly interval?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}

export const seriesTool: FreeTool = {
  name: 'assay_series',
  title: 'Read APY, TVL or share price over time',
  description: `A figure of a vault family over time, oldest first: apy (7-day, a fraction), tvl (base units, and USD) or price (base units of the base asset for one whole share). Of more than ${MOST_INLINE} ticks the newest are given, and a link to a resource with all. A share price that fell is a loss.`,
  operations: ['getApySeries', 'getTvlSeries', 'getSharePriceSeries'],
  input: ([apy]) => {
    const { properties, required } = apy!.input as {
      properties: Record<string, JsonSchema>;
      required: readonly string[];
    };
    const figure = {
      type: 'string',
      enum: Object.keys(SERIES),
      description: 'Which figure: apy, tvl or price (of a share).',
    };
    return {
      type: 'object',
      properties: { slug: properties.slug, figure, ...properties },
      required: [...required, 'figure'],
      additionalProperties: false,
    };
  },
  output: (operations) =>
    objectOf({
      ticks: {
        type: 'array',
        items: { anyOf: operations.map(({ output }) => output.items) },
        description: `Oldest first; the newest ${MOST_INLINE} at most.`,
      },
      count: { type: 'integer', description: 'How many there are in all.' },
    }),
  async run(client, args, signal) {
    const asked = args as unknown as Asked;
    const ticks = await readSeries(client, asked, signal);
    const answer = { ticks: ticks.slice(-MOST_INLINE), count: ticks.length };
    if (ticks.length <= MOST_INLINE) return { answer };
    const { slug, figure, interval = 'day' } = asked;
    const link = {
      uri: seriesUri(asked),
      name: `${slug}-${figure}-${interval}`,
      description: `All ${ticks.length} ticks, oldest first`,
    };
    return { answer, links: [link] };
  },
};

function seriesUri({ slug, figure, interval = 'day', from = OPEN, to = OPEN }: Asked): string {
  return `assay://vaults/${[slug, figure, interval, from, to].map(encodeURIComponent).join('/')}`;
}

/** What a link of ours names; undefined for any other. */
export function readSeriesUri(uri: URL): Asked | undefined {
  const [slug = '', figure = '', interval = '', from = '', to = ''] = uri.pathname
    .slice(1)
    .split('/')
    .map(decodeURIComponent);
  if (uri.host !== 'vaults' || !Object.hasOwn(SERIES, figure)) return undefined;
  return {
    slug,
    figure: figure as Figure,
    interval,
    ...(from !== OPEN && { from }),
    ...(to !== OPEN && { to }),
    limit: MOST,
  };
}

export function readSeries(
  client: Client,
  { figure, ...asked }: Asked,
  signal: AbortSignal,
): Promise<readonly object[]> {
  return SERIES[figure](client, { ...asked, signal } as never);
}
