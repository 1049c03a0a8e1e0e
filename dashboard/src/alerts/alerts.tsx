import { getAlerts, type ListedVault } from '@assay/client';
import { AlertTables } from '../activity/alertTables.tsx';
import { Governance } from '../activity/governance.tsx';
import { Await } from '../components/states.tsx';
import { cleanText } from '../format/text.ts';
import { client, useVaults } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { setQuery, usePlace } from '../state/url.ts';

/** Alerts of all families, and the governance changes of the selected one. */
export function Alerts() {
  const live = useLive(
    'alerts',
    (signal) => getAlerts(client, { signal }),
    30_000,
    ({ type }) => type === 'alert',
  );
  const vaults = useVaults();
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>Alerts and governance</h1>
        <p class="sub">What the operator watches, and who changed the contracts.</p>
      </div>
      <Await live={vaults} lines={6}>
        {(families) => (
          <Await live={live} lines={6}>
            {(list) => (
              <>
                <AlertTables list={list} of={undefined} />
                <Changes vaults={families} />
              </>
            )}
          </Await>
        )}
      </Await>
    </>
  );
}

function Changes({ vaults }: { readonly vaults: readonly ListedVault<bigint>[] }) {
  const asked = usePlace().query.get('family');
  const slug = vaults.find((one) => one.slug === asked)?.slug ?? vaults[0]?.slug;
  if (slug === undefined) return null;
  return (
    <>
      <div class="bar">
        <label class="inline">
          Changes of{' '}
          <select
            value={slug}
            onChange={(event) => setQuery({ family: event.currentTarget.value })}
          >
            {vaults.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {cleanText(name, 48)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Governance key={slug} slug={slug} />
    </>
  );
}
