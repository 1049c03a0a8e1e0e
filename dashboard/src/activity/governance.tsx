import { type GovernancePageItem, getGovernance } from '@assay/client';
import { useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { chainStateText } from '../components/chainStates.ts';
import { ViewActions } from '../components/download.tsx';
import { Hash } from '../components/hash.tsx';
import { Await, Empty, Notice } from '../components/states.tsx';
import { type Column, chainColumns, fileOf, Table } from '../components/table.tsx';
import { Address } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import { momentText } from '../format/time.ts';
import { client } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { changeKindText, eventText, fieldText } from './governanceText.ts';

const FIRST = 10;
/** As many as one page of the API has here; further ones are at the route. */
const MAX_CHANGES = 200;

/** Charts and the list of changes share one request. */
export function useGovernance(slug: string) {
  return useLive(
    `governance ${slug}`,
    (signal) => getGovernance(client, { slug, limit: MAX_CHANGES, signal }),
    60_000,
    ofFamily(slug),
  );
}

/** Lists what those who control a family's contracts have changed, newest first. */
export function Governance({ slug }: { readonly slug: string }) {
  const [isAll, setAll] = useState(false);
  const chainName = useChainName();
  const live = useGovernance(slug);
  const columns = changeColumns(chainName);
  const all = live.data?.items ?? [];
  const items = isAll ? all : all.slice(0, FIRST);
  return (
    <Card
      id="governance"
      title="Who controls it, and what they changed"
      aside={
        items.length > 0 && (
          <ViewActions
            shown={{ name: `${slug}-governance`, ...fileOf(columns, items), json: () => items }}
          />
        )
      }
    >
      <Await live={live} lines={3}>
        {({ incompleteChains }) => (
          <>
            {incompleteChains.length > 0 && (
              <Notice>
                <p>
                  Changes may be missing:{' '}
                  {incompleteChains
                    .map(({ chainId, reason }) => chainStateText(chainName(chainId), reason))
                    .join('; ')}
                  .
                </p>
              </Notice>
            )}
            {items.length === 0 ? (
              <Empty>
                No change of owners, roles, limits, or price sources since the first block.{' '}
                <a href="/docs/vaults">Which events are read</a>
              </Empty>
            ) : (
              <div class="cards">
                <Table
                  caption="Governance changes"
                  columns={columns}
                  rows={items}
                  rowKey={({ id }) => id}
                />
              </div>
            )}
            {all.length > items.length && (
              <p class="end">
                <button type="button" onClick={() => setAll(true)}>
                  Show more
                </button>
              </p>
            )}
          </>
        )}
      </Await>
    </Card>
  );
}

function changeColumns(
  chainName: (chainId: number) => string,
): readonly Column<GovernancePageItem>[] {
  return [
    {
      key: 'what',
      label: 'Change',
      value: ({ event }) => cleanText(event, 100),
      render: ({ event, kind }) => (
        <span class="who">
          <span>{eventText(event)}</span>
          <small>{changeKindText(kind)}</small>
        </span>
      ),
    },
    { key: 'kind', label: 'Kind', value: ({ kind }) => kind },
    {
      key: 'values',
      label: 'From and to',
      render: (item) => <Values item={item} />,
    },
    { key: 'subject', label: 'Subject', value: ({ subject }) => subject },
    { key: 'old', label: 'Old value', value: ({ oldValue }) => oldValue },
    { key: 'new', label: 'New value', value: ({ newValue }) => newValue },
    {
      key: 'contract',
      label: 'Contract',
      drop: 2,
      value: ({ contract }) => contract,
      render: ({ contract, chainId }) => (
        <span class="who">
          <Address value={contract} />
          <small>{chainName(chainId)}</small>
        </span>
      ),
    },
    ...chainColumns<GovernancePageItem>(({ chainId }) => chainId, chainName),
    {
      key: 'time',
      label: 'Time',
      value: ({ blockTimestamp }) => isoOf(blockTimestamp),
      render: ({ blockTimestamp, effectiveAt }) => (
        <span class="who">
          <time dateTime={isoOf(blockTimestamp)}>{momentText(blockTimestamp * 1000)}</time>
          {effectiveAt !== null && <small>in effect {momentText(effectiveAt * 1000)}</small>}
        </span>
      ),
    },
    {
      key: 'effective',
      label: 'In effect',
      value: ({ effectiveAt }) => (effectiveAt === null ? null : isoOf(effectiveAt)),
    },
    {
      key: 'transaction',
      label: 'Transaction',
      value: ({ transactionHash }) => transactionHash,
      render: ({ transactionHash }) => <Hash value={transactionHash} />,
    },
  ];
}

/** What it applies to, the value before, and the value after. */
function Values({ item }: { readonly item: GovernancePageItem }) {
  const { event, subject, oldValue, newValue } = item;
  const field = (value: string) => (
    <span title={cleanText(value, 200)}>{fieldText(value, event)}</span>
  );
  if (subject === null && oldValue === null && newValue === null) {
    return <span class="soft">no values</span>;
  }
  return (
    <span>
      {subject !== null && (
        <>
          {field(subject)}
          {(oldValue !== null || newValue !== null) && ': '}
        </>
      )}
      {oldValue !== null && field(oldValue)}
      {newValue !== null && (
        <>
          {' '}
          <span class="soft">to</span> {field(newValue)}
        </>
      )}
    </span>
  );
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
