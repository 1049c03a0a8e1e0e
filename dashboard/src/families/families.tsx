import { Transactions } from '../activity/transactions.tsx';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty } from '../components/states.tsx';
import { fileOf, type Sort, sortRows, Table } from '../components/table.tsx';
import { shortUsd } from '../format/amount.ts';
import { cleanText, plural } from '../format/text.ts';
import { useVaults } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { setQuery, usePlace } from '../state/url.ts';
import { familyColumns } from './columns.tsx';
import { Compare, MAX_COMPARED } from './compare.tsx';
import { Filters, matches, useFilter } from './filters.tsx';
import type { Family } from './listedFamily.ts';
import { type Overview, useOverview } from './overview.ts';
import { ChainLine, Story } from './story.tsx';

export function Families() {
  const live = useVaults();
  const overview = useOverview();
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>Vault families</h1>
        <ChainLine />
      </div>
      <Await live={overview} lines={8}>
        {({ families }) => live.data && <Story families={ownOf(families, live.data)} />}
      </Await>
      <Await live={live} lines={8}>
        {(families) => <FamilyTable families={families} overview={overview.data} />}
      </Await>
      <Transactions family="" period="1d" pageSize={8} />
    </>
  );
}

/** Leaves out feeders, because what they hold is part of the master family. */
function ownOf(families: Overview['families'], listed: readonly Family[]): Overview['families'] {
  const feeders = new Set(
    listed.filter(({ feederOf }) => feederOf !== null).map(({ slug }) => slug),
  );
  return families.filter(({ slug }) => !feeders.has(slug));
}

function FamilyTable({
  families,
  overview,
}: {
  readonly families: readonly Family[];
  readonly overview: Overview | undefined;
}) {
  const filter = useFilter();
  const { query } = usePlace();
  const [key = '', way] = (query.get('sort') ?? 'tvl.down').split('.');
  const sort: Sort = { key, down: way === 'down' };
  const chainName = useChainName();
  const asked = (query.get('compare') ?? '').split(',');
  const compared = families.filter(({ slug }) => asked.includes(slug)).slice(0, MAX_COMPARED);
  const slugs = compared.map(({ slug }) => slug);
  const overviews = overview && new Map(overview.families.map((one) => [one.slug, one]));
  const columns = familyColumns(chainName, overviews);
  const rows = sortRows(
    families.filter((family) => matches(family, filter)),
    columns,
    sort,
  );
  const file = fileOf(columns, rows);
  const json = () =>
    rows.map((row) => ({ ...row, lowestScore: overviews?.get(row.slug)?.lowestScore ?? null }));
  return (
    <>
      <div class="bar">
        <Filters families={families} filter={filter} />
        <label class="phone">
          <span class="sr">Sort by</span>
          <select
            value={`${sort.key}.${sort.down ? 'down' : 'up'}`}
            onChange={(event) => setQuery({ sort: event.currentTarget.value })}
          >
            {columns
              .filter(({ value, render }) => value !== undefined && render !== undefined)
              .flatMap(({ key, label }) => [
                <option key={`${key}.down`} value={`${key}.down`}>{`${label} ↓`}</option>,
                <option key={`${key}.up`} value={`${key}.up`}>{`${label} ↑`}</option>,
              ])}
          </select>
        </label>
        <p class="sum">
          {plural(rows.length, 'family', 'families')}
          {totalOf(rows)}
        </p>
        <ViewActions shown={{ name: 'families', ...file, json }} />
      </div>
      {compared.length > 0 && <Compare families={compared} />}
      {rows.length === 0 ? (
        <Empty>
          {families.length === 0
            ? 'No vault families are configured on this server.'
            : 'No families match these filters.'}
        </Empty>
      ) : (
        <div class="cards">
          <Table
            caption="Vault families"
            columns={[...columns, compareColumn()]}
            rows={rows}
            rowKey={({ slug }) => slug}
            sort={sort}
            onSort={({ key, down }) => setQuery({ sort: `${key}.${down ? 'down' : 'up'}` })}
          />
        </div>
      )}
    </>
  );

  function compareColumn() {
    return {
      key: 'compare',
      label: 'Compare',
      render: ({ slug, name }: Family) => {
        const chosen = slugs.includes(slug);
        const others = slugs.filter((one) => one !== slug);
        return (
          <label class="check">
            <input
              type="checkbox"
              aria-label={`Compare ${cleanText(name)}`}
              checked={chosen}
              disabled={!chosen && slugs.length >= MAX_COMPARED}
              onChange={() =>
                setQuery({
                  compare: (chosen ? others : [...slugs, slug]).join(','),
                  zoom: undefined,
                })
              }
            />
          </label>
        );
      },
    };
  }
}

/** Excludes feeders, because their value is part of the master family's TVL. */
function totalOf(rows: readonly Family[]): string {
  const own = rows.filter(({ feederOf }) => feederOf === null);
  const known = own.flatMap(({ stats }) => stats?.tvlUsd ?? []);
  if (known.length === 0) return '';
  const total = known.reduce((sum, value) => sum + value, 0);
  const missing = own.length - known.length;
  return ` · ${shortUsd(total)}${missing > 0 ? ` (excludes ${missing} without a USD price)` : ''}`;
}
