import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { DAY, toIso } from '../../domain/time.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, NotReady, noSuch } from '../problem.ts';
import type { Route, RouteRequest } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import { Text } from '../schemas.ts';
import { amountText, percentText } from './figureText.ts';
import { METRICS, type Metric, THEMES, type WidgetStats, widgetPage } from './widget.ts';
import { WIDGET_STYLE } from './widgetStyle.ts';

export interface EmbedDeps {
  readonly config: Pick<Config, 'families' | 'embed'>;
  /** The routes whose responses are shown. */
  readonly today: readonly Route[];
}

/** Shorter than the time between data points by default. */
const MAX_AGE = 60;
const CHART_DAYS = 90;
const METRIC_NAMES = Object.keys(METRICS) as Metric[];
const SERIES = { tvl: 'getTvlSeries', apy: 'getApySeries', price: 'getSharePriceSeries' } as const;
/** Digits of a rate in a chart, which draws integers. */
const RATE_UNITS = 1e12;

const OFF =
  'the widget is off on this server; its operator turns it on with embed.frameAncestors in the configuration, as docs/operate.md describes';

/** The widget of a family. It shows what the routes of the API return. */
export function embedRoute({ config, today }: EmbedDeps): Route {
  const { embed, families } = config;
  const routeOf = (id: string) => today.find(({ operationId }) => operationId === id)!;
  const snapshot = routeOf('getVault');
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(WIDGET_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors ${embed?.frameAncestors.join(' ') ?? "'none'"}`;
  return {
    path: '/embed/family/{slug}',
    access: 'open',
    operationId: 'getFamilyWidget',
    summary: 'Open the widget of a vault family',
    description:
      "Off by default: the operator turns it on with `embed.frameAncestors`; until then, 404. Returns a web page for a frame: the family's TVL, share price, and 7-day APY with the time of the values, and a chart of 90 days. Only the sites that `embed.frameAncestors` lists can show it. Unknown values are shown as such, never as zero.",
    tag: 'vaults',
    parameters: [
      SLUG,
      optional('metric', Type.Enum(METRIC_NAMES), 'What the chart shows. Default: tvl.', 'apy'),
      optional(
        'theme',
        Type.Enum([...THEMES]),
        'Color scheme. Default: auto, that of the system.',
        'dark',
      ),
    ],
    response: Text('An HTML page.'),
    responseExample: '<!doctype html>',
    mediaType: 'text/html',
    problems: [400, 404],
    maxAge: MAX_AGE,
    families: (request) => (embed === undefined ? [] : snapshot.families?.(request)),
    headers: () => ({ 'content-security-policy': policy }),
    async answer(request) {
      const { metric, theme } = readParameters(
        (parameters) => ({
          metric: parameters.choice('metric', METRIC_NAMES) ?? 'tvl',
          theme: parameters.choice('theme', THEMES) ?? 'auto',
        }),
        request,
      );
      if (embed === undefined) throw new NotFound(OFF);
      const family = families.find(({ slug }) => slug === request.path.slug);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      const read = await readSnapshot(snapshot, request);
      const symbol = read?.assets.base.symbol ?? '';
      const decimals = read?.stats.baseAssetDecimals ?? 0;
      return widgetPage({
        slug: family.slug,
        name: family.name,
        symbol,
        theme,
        metric,
        stats: read?.stats,
        points: await readPoints(routeOf(SERIES[metric]), metric, request),
        pointText: (value) =>
          metric === 'apy'
            ? percentText(Number(value) / RATE_UNITS)
            : amountText(value, decimals, symbol),
      });
    },
  };
}

interface ReadSnapshot {
  readonly assets: { readonly base: { readonly symbol: string } };
  readonly stats: WidgetStats;
}

/** Undefined: the family was never read. */
async function readSnapshot(
  route: Route,
  request: RouteRequest,
): Promise<ReadSnapshot | undefined> {
  try {
    return (await route.answer({ ...request, query: new Map() })) as ReadSnapshot;
  } catch (error) {
    if (error instanceof NotReady) return undefined;
    throw error;
  }
}

async function readPoints(route: Route, metric: Metric, request: RouteRequest) {
  const query = new Map([
    ['interval', ['day']],
    ['from', [toIso(request.now - CHART_DAYS * DAY)]],
  ]);
  const points = (await route.answer({ ...request, query })) as {
    readonly at: string;
    readonly value: string | number;
  }[];
  return points.map(({ at, value }) => ({
    at,
    value: metric === 'apy' ? BigInt(Math.round(Number(value) * RATE_UNITS)) : BigInt(value),
  }));
}
