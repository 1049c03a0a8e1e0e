import type { Purchase } from '@assay/client';
import { useEffect, useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { Hash } from '../components/hash.tsx';
import { Empty } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Age, Figure, Name } from '../components/values.tsx';
import { priceText, type Settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { DAILY, listOwnPurchases, purchaseCount, TOTAL } from './payer.ts';
import { boughtOf, spentSince } from './purchases.ts';

const DAY = 86_400;
const SHOWN = 30;

/** What each request costs, what this browser bought, and how much it may still spend. */
export function OwnPurchases({ settings }: { readonly settings: Settings }) {
  const purchases = usePurchases();
  const { search, node, dependencies } = settings.payments!.prices;
  const now = Math.floor(Date.now() / 1000);
  const left = purchases && DAILY - spentSince(purchases, now - DAY);
  return (
    <>
      <dl class="figures">
        <Figure label="Search" note="by name or address">
          {priceText(BigInt(search))}
        </Figure>
        <Figure label="Grade" note="with its reasons">
          {priceText(BigInt(node))}
        </Figure>
        <Figure label="Dependencies" note="of a pool, with their grades">
          {priceText(BigInt(dependencies))}
        </Figure>
        <Figure label="Left for 24 h" note={`of ${priceText(DAILY)} in this browser`}>
          {left === undefined ? '…' : priceText(left > 0n ? left : 0n)}
        </Figure>
        <Figure label="Spent in total" note={`of ${priceText(TOTAL)} in this browser`}>
          {purchases === undefined ? '…' : priceText(spentSince(purchases, 0))}
        </Figure>
      </dl>
      <p>
        <a data-own href="/risk/compare">
          Compare two pools
        </a>
      </p>
      <Card id="purchases" title="Bought in this browser">
        {purchases?.length === 0 ? (
          <Empty>Nothing yet. Each pool on a family page links to its grade.</Empty>
        ) : (
          <div class="cards">
            <Table
              caption="Purchases of this browser"
              columns={COLUMNS}
              rows={(purchases ?? []).toReversed().slice(0, SHOWN)}
              rowKey={({ id }) => id}
            />
          </div>
        )}
      </Card>
    </>
  );
}

/** When this browser bought the grade of a node, newest first. */
export function EarlierGrades({ nodeId }: { readonly nodeId: string }) {
  const own = (usePurchases() ?? []).filter(({ url }) => {
    const bought = boughtOf(url);
    return bought.what === 'Grade' && bought.nodeId === nodeId;
  });
  if (own.length === 0) return null;
  return (
    <Card id="earlier" title="Bought in this browser">
      <div class="cards">
        <Table
          caption="Purchases of this grade"
          columns={COLUMNS.filter(({ key }) => key !== 'what')}
          rows={own.toReversed()}
          rowKey={({ id }) => id}
        />
      </div>
    </Card>
  );
}

/** Pools whose grade this browser bought, the newest first. */
export function useBoughtPools(): readonly string[] {
  const bought = (usePurchases() ?? []).toReversed().map(({ url }) => boughtOf(url));
  const pools = bought.flatMap(({ what, nodeId }) =>
    what === 'Grade' && nodeId?.startsWith('pool:') ? [nodeId] : [],
  );
  return [...new Set(pools)];
}

/** Undefined until they are read. Read again after each purchase. */
function usePurchases(): readonly Purchase[] | undefined {
  const count = useStore(purchaseCount);
  const [purchases, setPurchases] = useState<readonly Purchase[]>();
  useEffect(() => {
    let isGone = false;
    listOwnPurchases().then(
      (found) => !isGone && setPurchases(found),
      () => !isGone && setPurchases([]),
    );
    return () => {
      isGone = true;
    };
  }, [count]);
  return purchases;
}

const COLUMNS: readonly Column<Purchase>[] = [
  {
    key: 'at',
    label: 'When',
    render: ({ at }) => <Age at={new Date(at * 1000).toISOString()} />,
  },
  {
    key: 'what',
    label: 'What',
    render: ({ url }) => {
      const { what, nodeId } = boughtOf(url);
      return (
        <span class="who">
          <span>{what}</span>
          {nodeId !== undefined && (
            <small>
              <a data-own href={`/risk/${encodeURIComponent(nodeId)}`}>
                <Name text={nodeId} />
              </a>
            </small>
          )}
        </span>
      );
    },
  },
  {
    key: 'amount',
    label: 'Price',
    numeric: true,
    render: ({ amount }) => priceText(amount),
  },
  {
    key: 'state',
    label: 'State',
    drop: 2,
    render: ({ state }) => (state === 'paid' ? 'paid' : <b class="old">{state}</b>),
  },
  {
    key: 'transaction',
    label: 'Transaction',
    drop: 1,
    render: ({ receipt }) =>
      receipt === null ? <span class="soft">none</span> : <Hash value={receipt.transaction} />,
  },
];
