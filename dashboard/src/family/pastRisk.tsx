import { getSharePriceSeries, type Vault } from '@assay/client';
import { seriesQuery } from '../chart/ranges.ts';
import { Card } from '../components/card.tsx';
import { Await } from '../components/states.tsx';
import { Figure, Percent } from '../components/values.tsx';
import { dayText } from '../format/time.ts';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { type Drawdown, largestDrawdown, yearlyVolatility } from './priceRisk.ts';

const FEW = 'too few share prices';

/** How far the share price fell, and how much it varied, beside what it earned. */
export function PastRisk({ vault: { slug, stats } }: { readonly vault: Vault<bigint> }) {
  const live = useLive(
    `past risk ${slug}`,
    async (signal) => {
      const query = seriesQuery('90d', 'day', Date.now());
      const points = await getSharePriceSeries(client, {
        ...{ slug, ...query, signal },
        amounts: 'bigint',
      });
      return { fall: largestDrawdown(points), volatility: yearlyVolatility(points) };
    },
    300_000,
    ofFamily(slug),
  );
  return (
    <Card id="past" title="Share price, 90 d">
      <Await live={live} lines={2}>
        {({ fall, volatility }) => (
          <dl class="figures small">
            <Figure label="Largest fall" note={fallNote(fall)}>
              <Percent fraction={fall === null ? null : 0 - fall.fraction} why={FEW} />
            </Figure>
            <Figure label="Volatility" note="per year, from daily prices">
              <Percent fraction={volatility} why={FEW} />
            </Figure>
            <Figure label="APY 30 d" note="earned meanwhile">
              <Percent fraction={stats.apy30d} />
            </Figure>
          </dl>
        )}
      </Await>
    </Card>
  );
}

function fallNote(fall: Drawdown | null): string {
  if (fall === null) return '';
  if (fall.fraction === 0) return 'it never fell';
  return `${dayText(Date.parse(fall.from))} to ${dayText(Date.parse(fall.to))}`;
}
