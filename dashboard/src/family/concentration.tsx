import type { FamilyHolders, Vault } from '@assay/client';
import { Plot } from '../chart/chart.tsx';
import type { Line } from '../chart/line.ts';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty } from '../components/states.tsx';
import { percent, plainNumber } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { useLive } from '../state/live.ts';
import { readOwnFile } from '../state/ownFile.ts';

/** Charts how much of all shares the largest holders had, over the last weeks. */
export function Concentration({ vault: { slug, name } }: { readonly vault: Vault<bigint> }) {
  const live = useLive<FamilyHolders>(
    `concentration ${slug}`,
    (signal) => readOwnFile(`/dashboard/holders/${encodeURIComponent(slug)}`, signal),
    1_800_000,
  );
  return (
    <div class="charted" style={{ '--chart': '160px' }}>
      <h3>Concentration over time</h3>
      <Await live={live} lines={4}>
        {({ ticks }) =>
          ticks.length < 2 ? (
            <Empty>The chart starts with the second week of data.</Empty>
          ) : (
            <Plot
              label={`Part of all shares of ${cleanText(name)}`}
              height={160}
              times={ticks.map(({ at }) => Math.floor(Date.parse(at) / 1000))}
              lines={[
                line(
                  'Largest holder',
                  ticks.map(({ largest }) => largest),
                ),
                line(
                  'Ten largest',
                  ticks.map(({ largestTen }) => largestTen),
                ),
              ]}
              foot={
                <ViewActions
                  shown={{
                    name: `${slug}-concentration`,
                    head: ['time', 'largest holder', 'ten largest', 'unit', 'wallets'],
                    rows: () =>
                      ticks.map(({ at, largest, largestTen, holders }) => [
                        ...[at, largest, largestTen, 'fraction of all shares', holders],
                      ]),
                    json: () => ticks,
                  }}
                />
              }
            />
          )
        }
      </Await>
      {live.data && <p class="soft small">{countText(live.data.ticks)}</p>}
    </div>
  );
}

function line(label: string, values: readonly (number | null)[]): Line {
  return {
    ...{ label, values, format: (value) => percent(value, 1) },
    axis: { unit: '% of all shares', factor: 100 },
  };
}

/** Returns a text such as: 161 wallets, 73 of them 12 weeks ago. */
function countText(ticks: FamilyHolders['ticks']): string {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined || first === last) return '';
  const weeks = Math.round((Date.parse(last.at) - Date.parse(first.at)) / 604_800_000);
  return `${plainNumber(last.holders)} wallets hold shares now; ${weeks} weeks ago it was ${plainNumber(first.holders)}.`;
}
