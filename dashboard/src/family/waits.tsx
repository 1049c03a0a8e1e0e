import { getExits, type Vault } from '@assay/client';
import { plural } from '../format/text.ts';
import { spanText } from '../format/time.ts';
import { Await } from '../parts/states.tsx';
import { Amount, Figure, Unknown } from '../parts/values.tsx';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';

/** How long exits took that had to wait, until they were paid or could be claimed. */
export function Waits({ vault: { slug, assets } }: { readonly vault: Vault<bigint> }) {
  const live = useLive(
    `exits ${slug}`,
    (signal) => getExits(client, { slug, signal, amounts: 'bigint' }),
    60_000,
  );
  return (
    <Await live={live} lines={2}>
      {({ paid, waiting }) => (
        <dl class="figures small">
          <Figure label="Median wait" note={`${plural(paid.requests, 'request')} settled in 90 d`}>
            <Seconds value={paid.medianSeconds} />
          </Figure>
          <Figure label="90 % waited at most" note="weighted by shares">
            <Seconds value={paid.p90Seconds} />
          </Figure>
          <Figure label="Waiting now" note={plural(waiting.requests, 'request')}>
            <Amount units={waiting.shares} decimals={assets.share.decimals} symbol="shares" />
          </Figure>
        </dl>
      )}
    </Await>
  );
}

function Seconds({ value }: { readonly value: number | null }) {
  if (value === null) return <Unknown why="no request was settled in the last 90 days" />;
  return (
    <data value={String(value)} title={`${value} s`}>
      {spanText(value)}
    </data>
  );
}
