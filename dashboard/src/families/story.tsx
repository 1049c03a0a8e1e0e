import { getAlerts } from '@assay/client';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { loadPlot, Plot } from '../chart/chart.tsx';
import { Card } from '../components/card.tsx';
import { chainStateText } from '../components/chainStates.ts';
import { ViewActions } from '../components/download.tsx';
import { FamilyLink } from '../components/familyLink.tsx';
import { Figure, Percent, Unknown, Usd } from '../components/values.tsx';
import { exactUsd, shortNumber, shortUsd } from '../format/amount.ts';
import { cleanText, plural } from '../format/text.ts';
import { spanText } from '../format/time.ts';
import { client } from '../state/api.ts';
import { ChainsContext } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { exitsByWait, netFlowUsd, type Sum, sumOf, totalByDay, totalChange } from './figures.ts';
import type { FamilyOverview } from './overview.ts';

const HEIGHT = 200;

/** The state of all families: how much there is, what moved, and how long it takes to leave. */
export function Story({ families }: { readonly families: readonly FamilyOverview[] }) {
  const total = useMemo(() => totalByDay(families), [families]);
  const [day, week] = (['dayAgo', 'weekAgo'] as const).map((key) =>
    sumOf(families.map((one) => netFlowUsd(one[key], one.now))),
  );
  const held = sumOf(families.map(({ now }) => now?.usd ?? null));
  const { fastest, slowest } = exitsByWait(families);
  useEffect(() => void loadPlot(), []);
  return (
    <>
      <dl class="figures">
        <Figure label="Total TVL" note={<Change families={families} held={held} />}>
          <Usd value={held.value} />
        </Figure>
        <Figure label="Net flows 24 h" note={exclusion(day!)}>
          <Flow value={day!.value} />
        </Figure>
        <Figure label="Net flows 7 d" note={exclusion(week!)}>
          <Flow value={week!.value} />
        </Figure>
        <Exit label="Fastest exit" exit={fastest} />
        <Exit label="Slowest exit" exit={slowest} />
        <FiringAlerts />
      </dl>
      <Card id="total" title="Total TVL, 30 d" chartHeight={HEIGHT}>
        {total.times.length > 1 ? (
          <Plot
            label="Total TVL in USD"
            height={HEIGHT}
            times={total.times}
            lines={[
              {
                ...{ label: 'Total TVL', values: total.values, format: shortUsd },
                axis: { unit: 'USD' },
              },
            ]}
            foot={
              <ViewActions
                shown={{
                  name: 'total-tvl',
                  head: ['day', 'total TVL', 'unit'],
                  rows: () =>
                    total.times.map((time, index) => [
                      new Date(time * 1000).toISOString().slice(0, 10),
                      total.values[index] ?? null,
                      'USD',
                    ]),
                  json: () => families.map(({ slug, days }) => ({ slug, days })),
                }}
              />
            }
          />
        ) : (
          <p class="empty">The chart starts with the second day of data.</p>
        )}
      </Card>
    </>
  );
}

function Change({
  families,
  held,
}: {
  readonly families: readonly FamilyOverview[];
  readonly held: Sum;
}) {
  const { fraction, unknown } = totalChange(families);
  const left = exclusion(held);
  if (fraction === null) return <>{left}</>;
  return (
    <>
      <Percent fraction={fraction} isChange /> in 24 h
      {unknown > 0 && ` (${exclusion({ unknown })})`}
      {left !== '' && `, ${left}`}
    </>
  );
}

function exclusion({ unknown }: Pick<Sum, 'unknown'>): string {
  return unknown === 0 ? '' : `without ${plural(unknown, 'family', 'families')}`;
}

export function Flow({ value }: { readonly value: number | null }) {
  if (value === null) return <Unknown why="no shares or no USD price for this period" />;
  return (
    <data
      value={String(value)}
      title={`${exactUsd(value)}: shares issued minus shares redeemed, at their value now`}
    >
      {value > 0 ? '+' : value < 0 ? '-' : ''}${shortNumber(Math.abs(value))}
    </data>
  );
}

function Exit({
  label,
  exit,
}: {
  readonly label: string;
  readonly exit: ReturnType<typeof exitsByWait>['fastest'];
}) {
  if (exit === undefined) {
    return (
      <Figure label={label} note="no other family with measured waits">
        <Unknown why="no redemption waited in the last 90 days" />
      </Figure>
    );
  }
  return (
    <Figure label={label} note={<FamilyLink slug={exit.slug} />}>
      <data
        value={String(exit.seconds)}
        title={`median of ${plural(exit.requests, 'request')} in 90 days`}
      >
        {spanText(exit.seconds)}
      </data>
    </Figure>
  );
}

function FiringAlerts() {
  const { data, error } = useLive(
    'alerts',
    (signal) => getAlerts(client, { signal }),
    30_000,
    ({ type }) => type === 'alert',
  );
  const firing = data?.alerts.filter(({ state }) => state === 'firing').length;
  const link = (
    <a data-own href="/alerts">
      {data === undefined ? 'all alerts' : `of ${data.alerts.length}`}
    </a>
  );
  return (
    <Figure label="Alerts firing" note={link}>
      {firing ?? (error === undefined ? '…' : <Unknown why="alerts could not be loaded" />)}
    </Figure>
  );
}

/** The chains in one line. Always rendered, so that nothing shifts when their state arrives. */
export function ChainLine() {
  const chains = useContext(ChainsContext)?.chains;
  const live = (chains ?? []).filter(({ state }) => state === 'live');
  const others = (chains ?? []).filter(({ state }) => state !== 'live');
  return (
    <p class="sub line">
      {chains === undefined ? (
        '\u00a0'
      ) : (
        <a data-own href="/status">
          {plural(live.length, 'chain')} live
          {others.map(({ name, state }) => ` · ${chainStateText(cleanText(name, 32), state)}`)}
        </a>
      )}
    </p>
  );
}
