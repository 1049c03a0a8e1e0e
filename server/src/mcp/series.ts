import { type Client, getApySeries, getSharePriceSeries, getTvlSeries } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import type { FreeTool } from './tool.ts';

const SERIES = { apy: getApySeries, tvl: getTvlSeries, price: getSharePriceSeries };
type Figure = keyof typeof SERIES;

/** More points than this are read as a resource. */
const MAX_INLINE = 100;
const MOST = 5_000;
/** An open end of the range in a link. */
const OPEN = '-';

/** A complete series: assay://vaults/svcusd/apy/day/2026-01-01/- */
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
  title: 'Read APY, TVL, or share price over time',
  description: `One metric of a vault family over time, oldest first: apy (7-day), tvl, or price (base units for one share). With more than ${MAX_INLINE} points, returns the newest and a link to all.`,
  operations: ['getApySeries', 'getTvlSeries', 'getSharePriceSeries'],
  input: ([apy]) => {
    const { properties, required } = apy!.input as {
      properties: Record<string, JsonSchema>;
      required: readonly string[];
    };
    const figure = {
      type: 'string',
      enum: Object.keys(SERIES),
    };
    return {
      type: 'object',
      properties: { slug: properties.slug, figure, ...properties },
      required: [...required, 'figure'],
      additionalProperties: false,
    };
  },
  async run(client, args, signal) {
    const asked = args as unknown as Asked;
    const ticks = await readSeries(client, asked, signal);
    const answer = { ticks: ticks.slice(-MAX_INLINE), count: ticks.length };
    if (ticks.length <= MAX_INLINE) return { answer };
    const { slug, figure, interval = 'day' } = asked;
    const link = {
      uri: seriesUri(asked),
      name: `${slug}-${figure}-${interval}`,
      description: `All ${ticks.length} data points, oldest first`,
    };
    return { answer, links: [link] };
  },
};

function seriesUri({ slug, figure, interval = 'day', from = OPEN, to = OPEN }: Asked): string {
  return `assay://vaults/${[slug, figure, interval, from, to].map(encodeURIComponent).join('/')}`;
}

/** Parses one of our links; undefined for any other. */
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
