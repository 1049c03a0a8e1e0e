import type { AssetHit, LockedValueHit } from '@assay/client';
import { useState } from 'preact/hooks';
import { cleanText } from '../format/text.ts';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty, Notice } from '../parts/states.tsx';
import { type Column, fileOf, Table } from '../parts/table.tsx';
import { Name, Usd } from '../parts/values.tsx';
import { setQuery, usePlace } from '../state/url.ts';
import { NodeView } from './nodeView.tsx';
import { PurchaseBox } from './purchaseBox.tsx';
import { type Settings, useSettings } from './settings.ts';
import { WalletChoice } from './walletChoice.tsx';

type Hit = LockedValueHit | AssetHit;

export function Risk() {
  const { query } = usePlace();
  const node = query.get('node');
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>Risk</h1>
        <p class="sub">
          Letter grades with their reasons, for pools, assets, protocols and chains. Sold per query;{' '}
          <a href="/docs/methodology">how they are made</a>.
        </p>
      </div>
      <Await live={useSettings()} lines={4}>
        {(settings) =>
          settings.payments === null ? (
            <Notice>
              <p>This server sells no grades: its configuration has no payments.</p>
            </Notice>
          ) : (
            <>
              <WalletChoice settings={settings} />
              <Search settings={settings} />
              {node !== null && <NodeView key={node} settings={settings} nodeId={node} />}
            </>
          )
        }
      </Await>
    </>
  );
}

const LABELS = ['', 'Pool', 'Asset', 'Protocol', 'Chain'];

function Search({ settings }: { readonly settings: Settings }) {
  const { query } = usePlace();
  const q = query.get('q') ?? '';
  const label = LABELS.find((one) => one === query.get('label')) ?? '';
  const [text, setText] = useState(q);
  const asked = new URLSearchParams({ q, ...(label !== '' && { label }) });
  return (
    <Card id="search" title="Find">
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: text.trim() });
        }}
      >
        <label>
          <span class="sr">Name or address</span>
          <input
            type="search"
            maxLength={128}
            placeholder="Name, symbol or address"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="narrow">
          <span class="sr">Kind</span>
          <select
            value={label}
            onChange={(event) => setQuery({ label: event.currentTarget.value })}
          >
            {LABELS.map((one) => (
              <option key={one} value={one}>
                {one === '' ? 'All kinds' : one}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Show price</button>
      </form>
      {q !== '' && (
        <PurchaseBox<readonly Hit[]>
          settings={settings}
          route="search"
          url={`${location.origin}/api/v1/agent/search?${asked}`}
          words={`Search for “${cleanText(q, 32)}”`}
        >
          {(hits) => <Hits hits={hits} />}
        </PurchaseBox>
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<Hit>[] = [
  {
    key: 'name',
    label: 'Name',
    value: ({ name }) => cleanText(name, 200),
    render: ({ id, name }) => (
      <span class="who">
        <a data-own href={nodeHref(id)}>
          <Name text={name} />
        </a>
        <small>
          <Name text={id} most={64} />
        </small>
      </span>
    ),
  },
  { key: 'label', label: 'Kind', value: ({ label }) => label, render: ({ label }) => label },
  {
    key: 'network',
    label: 'Network',
    value: ({ network }) => network,
    render: ({ network }) => <Name text={network} most={24} />,
  },
  {
    key: 'size',
    label: 'Size',
    title: 'Value locked, or market capitalisation of an asset',
    numeric: true,
    value: sizeOf,
    render: (hit) => <Usd value={sizeOf(hit)} why="no source says how big it is" />,
  },
];

function Hits({ hits }: { readonly hits: readonly Hit[] }) {
  if (hits.length === 0) return <Empty>Nothing was found.</Empty>;
  return (
    <div class="cards hits">
      <Table caption="Hits" columns={COLUMNS} rows={hits} rowKey={({ id }) => id} />
      <TakeAway shown={{ name: 'hits', ...fileOf(COLUMNS, hits), json: () => hits }} />
    </div>
  );
}

function sizeOf(hit: Hit): number | null {
  return 'marketCapUsd' in hit ? hit.marketCapUsd : hit.tvlUsd;
}

function nodeHref(id: string): string {
  const query = new URLSearchParams(location.search);
  query.set('node', id);
  return `/risk?${query}`;
}
