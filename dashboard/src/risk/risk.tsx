import type { AssetHit, LockedValueHit } from '@assay/client';
import { useEffect, useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { Crumb } from '../components/crumb.tsx';
import { CopyButton, ViewActions } from '../components/download.tsx';
import { Select } from '../components/select.tsx';
import { Await, Empty, Notice } from '../components/states.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Name, Usd } from '../components/values.tsx';
import { cleanText, shortAddress } from '../format/text.ts';
import { type Settings, useSettings } from '../state/settings.ts';
import { go, setQuery, usePlace } from '../state/url.ts';
import { Compare, CompareHead } from './compare.tsx';
import { NodeView } from './nodeView.tsx';
import { EarlierGrades, OwnPurchases } from './ownPurchases.tsx';
import { PurchaseBox } from './purchaseBox.tsx';
import { WalletChoice } from './walletChoice.tsx';

type Hit = LockedValueHit | AssetHit;

export function Risk({ nodeId }: { readonly nodeId: string }) {
  const { query } = usePlace();
  const q = query.get('q') ?? '';
  // The id of a node has a colon.
  const isComparison = nodeId === 'compare';
  // Links of earlier versions.
  const asked = query.get('node');
  useEffect(() => {
    if (asked !== null) go(nodeHref(asked), { replace: true });
  }, [asked]);
  return (
    <>
      {isComparison ? <CompareHead /> : nodeId === '' ? <Head /> : <NodeHead nodeId={nodeId} />}
      <Await live={useSettings()} lines={4}>
        {(settings) =>
          settings.payments === null ? (
            <Notice>
              <p>This server does not sell grades: payments are not configured.</p>
            </Notice>
          ) : (
            <>
              <WalletChoice settings={settings} />
              {isComparison && <Compare settings={settings} />}
              {nodeId !== '' && !isComparison && (
                <>
                  <NodeView key={nodeId} settings={settings} nodeId={nodeId} />
                  <EarlierGrades nodeId={nodeId} />
                </>
              )}
              {(nodeId === '' || q !== '') && <Search key="search" settings={settings} />}
              {nodeId === '' && q === '' && <OwnPurchases settings={settings} />}
            </>
          )
        }
      </Await>
    </>
  );
}

function Head() {
  return (
    <div class="head">
      <h1 tabIndex={-1}>Risk</h1>
      <p class="sub">
        Letter grades for pools, assets, protocols, and chains, with their reasons. Paid per
        request. <a href="/docs/methodology">How grades are computed</a>
      </p>
    </div>
  );
}

/** The id is free and its first part is the kind; the name comes with the grade. */
function NodeHead({ nodeId }: { readonly nodeId: string }) {
  const [kind = '', place = '', rest] = nodeId.split(':');
  const short = shortAddress(cleanText(rest ?? place, 60));
  return (
    <div class="head">
      <Crumb href="/risk" name="Risk" />
      <h1 tabIndex={-1} title={cleanText(nodeId, 200)}>
        <span class="kindname">{cleanText(kind, 20)}</span> {short}
      </h1>
      <p class="sub">
        {rest !== undefined && `on ${cleanText(place, 32)} `}
        <CopyButton text={() => nodeId} label="Copy id" /> ·{' '}
        <a href="/docs/methodology">How grades are computed</a>
      </p>
    </div>
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
    <Card id="search" title="Search">
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
            placeholder="Name, symbol, or address"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <Select
          class="narrow"
          label="Kind"
          options={LABELS.map((one) => [one, one === '' ? 'All kinds' : one])}
          value={label}
          onChoose={(chosen) => setQuery({ label: chosen })}
        />
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
    title: 'TVL, or market capitalization of an asset',
    numeric: true,
    value: sizeOf,
    unit: () => 'USD',
    render: (hit) => <Usd value={sizeOf(hit)} why="size unknown" />,
  },
];

function Hits({ hits }: { readonly hits: readonly Hit[] }) {
  if (hits.length === 0) return <Empty>No results.</Empty>;
  return (
    <div class="cards hits">
      <Table caption="Search results" columns={COLUMNS} rows={hits} rowKey={({ id }) => id} />
      <ViewActions shown={{ name: 'hits', ...fileOf(COLUMNS, hits), json: () => hits }} />
    </div>
  );
}

function sizeOf(hit: Hit): number | null {
  return 'marketCapUsd' in hit ? hit.marketCapUsd : hit.tvlUsd;
}

/** Keeps the search, so that its results stay below the node. */
function nodeHref(id: string): string {
  const query = new URLSearchParams(location.search);
  query.delete('node');
  query.delete('on');
  const text = query.toString();
  return `/risk/${encodeURIComponent(id)}${text === '' ? '' : `?${text}`}`;
}
