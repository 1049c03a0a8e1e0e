import { getExits, type Vault } from '@assay/client';
import { Card } from '../components/card.tsx';
import { Await } from '../components/states.tsx';
import { Amount, Figure, Unknown } from '../components/values.tsx';
import { plural } from '../format/text.ts';
import { spanText } from '../format/time.ts';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';

/** Shows how long queued redemptions took to be paid or to become claimable. */
export function Waits({ vault: { slug, assets } }: { readonly vault: Vault<bigint> }) {
  const live = useLive(
    `exits ${slug}`,
    (signal) => getExits(client, { slug, signal, amounts: 'bigint' }),
    60_000,
    ofFamily(slug),
  );
  return (
    <Card id="waits" title="Redemption wait times" at={live.data?.to}>
      <Await live={live} lines={2}>
        {({ paid, waiting }) => (
          <dl class="figures small">
            <Figure
              label="Median wait"
              note={`${plural(paid.requests, 'request')} settled in the last 90 days`}
            >
              <Seconds value={paid.medianSeconds} />
            </Figure>
            <Figure label="90th percentile" note="weighted by shares">
              <Seconds value={paid.p90Seconds} />
            </Figure>
            <Figure label="Still waiting" note={plural(waiting.requests, 'request')}>
              <Amount units={waiting.shares} decimals={assets.share.decimals} symbol="shares" />
            </Figure>
          </dl>
        )}
      </Await>
    </Card>
  );
}

function Seconds({ value }: { readonly value: number | null }) {
  if (value === null) return <Unknown why="no requests settled in the last 90 days" />;
  return (
    <data value={String(value)} title={`${value} s`}>
      {spanText(value)}
    </data>
  );
}
