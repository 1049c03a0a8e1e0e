import type { Status, StatusChain, StatusChainFamily } from '@assay/client';
import { Card } from '../components/card.tsx';
import { ChainNotice } from '../components/chainNotice.tsx';
import { ViewActions } from '../components/download.tsx';
import { ChainMark } from '../components/marks.tsx';
import { Await, Empty } from '../components/states.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Age, Unknown } from '../components/values.tsx';
import { cleanText, plural } from '../format/text.ts';
import { spanText } from '../format/time.ts';
import { useStatus } from '../state/api.ts';

export function StatusPage() {
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>Status</h1>
      </div>
      <Await live={useStatus()} lines={8}>
        {(status) => <Shown status={status} />}
      </Await>
    </>
  );
}

const NOT_READ = 'not read yet';

const COLUMNS: readonly Column<StatusChain>[] = [
  {
    key: 'name',
    label: 'Chain',
    value: ({ name }) => cleanText(name, 100),
    render: ({ name, chainId }) => (
      <span class="marked">
        <ChainMark chainId={chainId} />
        <span class="who">
          <span>{cleanText(name, 32)}</span>
          <small>{chainId}</small>
        </span>
      </span>
    ),
  },
  { key: 'chainId', label: 'Chain id', value: ({ chainId }) => chainId },
  {
    key: 'state',
    label: 'State',
    value: ({ state }) => state,
    render: ({ state }) => <State state={state} />,
  },
  block('head', 'Head'),
  { ...block('indexedBlock', 'Indexed'), drop: 3 },
  { ...block('finalized', 'Final'), drop: 2 },
  {
    key: 'lag',
    label: 'Lag',
    numeric: true,
    value: ({ lagSeconds }) => lagSeconds,
    unit: () => 's',
    render: ({ lagSeconds }) =>
      lagSeconds === null ? <Unknown why={NOT_READ} /> : <span>{spanText(lagSeconds)}</span>,
  },
  {
    key: 'error',
    label: 'Last error',
    value: ({ lastError }) => lastError?.message ?? null,
    render: ({ lastError }) =>
      lastError === null ? (
        <span class="soft">none</span>
      ) : (
        <span class="two start">
          <span>{cleanText(lastError.message, 200)}</span>
          <small>
            since <Age at={lastError.since} />
          </small>
        </span>
      ),
  },
  {
    key: 'updated',
    label: 'Last checked',
    drop: 1,
    numeric: true,
    value: ({ updatedAt }) => updatedAt,
    render: ({ updatedAt }) =>
      updatedAt === null ? <Unknown why="never checked" /> : <Age at={updatedAt} />,
  },
];

function block(key: 'head' | 'indexedBlock' | 'finalized', label: string): Column<StatusChain> {
  return {
    key,
    label,
    numeric: true,
    value: (chain) => chain[key],
    render: (chain) => chain[key] ?? <Unknown why={NOT_READ} />,
  };
}

export function State({ state }: { readonly state: string }) {
  const look =
    state === 'live' || state === 'current' ? 'good' : state === 'syncing' ? 'fair' : 'poor';
  return (
    <span class={`state ${look}`}>
      <i aria-hidden="true" />
      {state}
    </span>
  );
}

function Shown({ status: { chains, version } }: { readonly status: Status }) {
  const parts = partsOf(chains);
  return (
    <>
      <ChainNotice chains={chains} />
      <Card
        id="chains"
        title="Chains"
        aside={
          <ViewActions shown={{ name: 'status', ...fileOf(COLUMNS, chains), json: () => chains }} />
        }
      >
        <div class="cards">
          <Table
            caption="Chains"
            columns={COLUMNS}
            rows={chains}
            rowKey={({ chainId }) => String(chainId)}
          />
        </div>
      </Card>
      <Card
        id="parts"
        title="Families and price feeds"
        aside={
          <ViewActions
            shown={{ name: 'sources', ...fileOf(PART_COLUMNS, parts), json: () => parts }}
          />
        }
      >
        {parts.length === 0 ? (
          <Empty>No families or price feeds.</Empty>
        ) : (
          <div class="cards">
            <Table
              caption="Families and price feeds on each chain"
              columns={PART_COLUMNS}
              rows={parts}
              rowKey={({ key }) => key}
            />
          </div>
        )}
      </Card>
      <p class="soft">Server version {cleanText(version, 32)}</p>
    </>
  );
}

interface Part extends Omit<StatusChainFamily, 'family'> {
  readonly key: string;
  readonly name: string;
  readonly kind: 'family' | 'price feed';
  readonly chain: string;
}

/** Families and feeds with a problem come first. */
function partsOf(chains: readonly StatusChain[]): readonly Part[] {
  const all = chains.flatMap(({ name: chain, families, feeds }): Part[] => [
    ...families.map(({ family, ...rest }) => {
      return { key: `${chain} ${family}`, name: family, kind: 'family' as const, chain, ...rest };
    }),
    ...feeds.map(({ feed, ...rest }) => {
      return {
        key: `${chain} feed ${feed}`,
        name: feed,
        kind: 'price feed' as const,
        chain,
        gaps: [],
        notices: [],
        ...rest,
      };
    }),
  ]);
  const isWell = ({ state, gaps }: Part) => Number(state === 'current' && gaps.length === 0);
  return all.sort((a, b) => isWell(a) - isWell(b));
}

function noticeText({ notices }: Part): string | null {
  return notices.length === 0 ? null : notices.map(({ message }) => message).join(' ');
}

function gapText({ gaps }: Part): string | null {
  const [first] = gaps;
  if (first === undefined) return null;
  const more = gaps.length === 1 ? '' : ` (${plural(gaps.length - 1, 'more gap')})`;
  return `${cleanText(first.reason, 500)}${more}`;
}

const PART_COLUMNS: readonly Column<Part>[] = [
  part('name', 'Name', ({ name }) => cleanText(name, 48)),
  part('kind', 'Kind', ({ kind }) => kind),
  part('chain', 'Chain', ({ chain }) => cleanText(chain, 32)),
  {
    ...part('state', 'State', ({ state }) => state),
    render: ({ state }) => <State state={state} />,
  },
  {
    ...part('reason', 'Reason', (one) => one.reason ?? gapText(one) ?? noticeText(one)),
    render: ({ reason, since, ...rest }) =>
      reason === null ? (
        (gapText({ reason, since, ...rest }) ??
        noticeText({ reason, since, ...rest }) ?? <span class="soft">–</span>)
      ) : (
        <span class="two start">
          <span>{cleanText(reason, 300)}</span>
          {since !== null && (
            <small>
              since <Age at={since} />
            </small>
          )}
        </span>
      ),
  },
];

function part(key: string, label: string, value: (part: Part) => string | null): Column<Part> {
  return { key, label, value, render: value };
}
