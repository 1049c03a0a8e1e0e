import { type Html, html, Html as Plain } from '../docs/html.ts';
import { type ChartPoint, chartLine } from './chartLine.ts';
import { amountText, percentText, UNKNOWN, usdText } from './figureText.ts';
import { WIDGET_STYLE } from './widgetStyle.ts';

export const METRICS = { tvl: 'TVL', apy: 'APY, 7 days', price: 'Share price' } as const;
export type Metric = keyof typeof METRICS;
export const THEMES = ['auto', 'light', 'dark'] as const;

/** The values of a snapshot that the widget shows; null is unknown. */
export interface WidgetStats {
  readonly updatedAt: string;
  readonly baseAssetDecimals: number;
  readonly tvl: string;
  readonly tvlUsd: number | null;
  readonly assetsPerShare: string | null;
  readonly apy7d: number | null;
}

export interface Widget {
  readonly slug: string;
  readonly name: string;
  readonly symbol: string;
  readonly theme: (typeof THEMES)[number];
  readonly metric: Metric;
  /** Undefined: the family was never read. */
  readonly stats: WidgetStats | undefined;
  readonly points: readonly ChartPoint[];
  /** Converts a value of `points` to text. */
  readonly pointText: (value: bigint) => string;
}

/** Renders a family's figures and chart as a page for a frame: no script, and nothing to load. */
export function widgetPage(widget: Widget): string {
  const { slug, name, theme, metric, stats } = widget;
  const at = stats?.updatedAt.slice(0, 16).replace('T', ' ');
  const page = html`<!doctype html>
<html lang="en"${theme === 'auto' ? '' : new Plain(` data-theme="${theme}"`)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · Assay</title>
<style>${new Plain(WIDGET_STYLE)}</style>
</head>
<body>
<main>
<h1><a href="../../family/${encodeURIComponent(slug)}" target="_blank" rel="noopener">${name}</a></h1>
<p class="at">${at === undefined ? [html`As of: ${UNKNOWN}`] : [html`As of <time datetime="${stats!.updatedAt}">${at} UTC</time>`]}</p>
<dl>${figures(widget)}</dl>
<figure><figcaption>${METRICS[metric]}, 90 days</figcaption>${chart(widget)}</figure>
</main>
</body>
</html>
`;
  return page.text;
}

function figures({ stats, symbol }: Widget): Html[] {
  const decimals = stats?.baseAssetDecimals ?? 0;
  const amount = (units: string | null | undefined) =>
    units == null ? UNKNOWN : amountText(BigInt(units), decimals, symbol);
  const usd = stats?.tvlUsd == null ? `USD value ${UNKNOWN}` : usdText(stats.tvlUsd);
  return [
    figure(METRICS.tvl, amount(stats?.tvl), usd),
    figure(METRICS.price, amount(stats?.assetsPerShare)),
    figure(METRICS.apy, stats?.apy7d == null ? UNKNOWN : percentText(stats.apy7d)),
  ];
}

function figure(name: string, value: string, note?: string): Html {
  const small = note === undefined ? [] : [html`<dd class="note">${note}</dd>`];
  return html`<div><dt>${name}</dt><dd>${value}</dd>${small}</div>`;
}

function chart({ metric, points, pointText }: Widget): Html {
  const [first, last] = [points[0], points.at(-1)];
  const ends =
    first &&
    last &&
    `${METRICS[metric]} from ${pointText(first.value)} on ${dayOf(first)} to ${pointText(last.value)} on ${dayOf(last)}`;
  const line = chartLine(points, ends ?? '');
  if (line === undefined) return html`<p class="none">Not enough data points for a chart.</p>`;
  return html`${line}<p class="ends"><span>${dayOf(first!)}: ${pointText(first!.value)}</span><span>${dayOf(last!)}: ${pointText(last!.value)}</span></p>`;
}

function dayOf({ at }: ChartPoint): string {
  return at.slice(0, 10);
}
