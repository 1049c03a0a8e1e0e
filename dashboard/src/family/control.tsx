import { getAlerts, type Vault } from '@assay/client';
import { AlertTables } from '../activity/alertTables.tsx';
import { Governance } from '../activity/governance.tsx';
import { Await } from '../components/states.tsx';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';

/** Who controls the family, what they changed, and the alerts about it. */
export function Control({ vault: { slug } }: { readonly vault: Vault<bigint> }) {
  const live = useLive(
    `alerts ${slug}`,
    (signal) => getAlerts(client, { family: slug, signal }),
    30_000,
    (event) => event.type === 'alert' && event.family === slug,
  );
  return (
    <>
      <Governance slug={slug} />
      <Await live={live} lines={3}>
        {(list) => <AlertTables list={list} of={slug} />}
      </Await>
    </>
  );
}
