import type { Pool, Vault } from '@assay/client';
import { BarCell } from '../components/barCell.tsx';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Score } from '../components/score.tsx';
import { Empty } from '../components/states.tsx';
import {
  type Column,
  chainColumns,
  fileOf,
  type Sort,
  sortRows,
  Table,
} from '../components/table.tsx';
import { Amount, Name, Percent, Unknown } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText, webAddress } from '../format/text.ts';
import { useChainName } from '../state/chains.ts';
import { useText } from '../state/url.ts';
import { type GradeLinks, useGradeLinks } from './gradeLinks.ts';

type Row = Pool<bigint>;

export function Pools({ vault }: { readonly vault: Vault<bigint> }) {
  const { stats, assets, slug } = vault;
  const [sorted, setSorted] = useText('pools');
  const [key = 'allocation', way = 'down'] = (sorted || 'allocation.down').split('.');
  const sort: Sort = { key, down: way === 'down' };
  const links = useGradeLinks(slug);
  const columns = poolColumns(assets.base, useChainName(), links);
  const rows = sortRows(stats.pools, columns, sort);
  return (
    <Card
      id="pools"
      title="Pools"
      at={stats.updatedAt}
      aside={
        rows.length > 0 && (
          <ViewActions
            shown={{ name: `${slug}-pools`, ...fileOf(columns, rows), json: () => rows }}
          />
        )
      }
    >
      {rows.length === 0 ? (
        <Empty>No pools.</Empty>
      ) : (
        <div class="cards">
          <Table
            caption="Pools"
            columns={columns}
            rows={rows}
            rowKey={({ offchainId, chainId }) => `${chainId} ${offchainId}`}
            sort={sort}
            onSort={({ key, down }) => setSorted(`${key}.${down ? 'down' : 'up'}`)}
          />
        </div>
      )}
      {links.price !== null && links.vault !== undefined && (
        <p class="soft">
          The family as one: <GradeLink href={links.vault} price={links.price} />
        </p>
      )}
    </Card>
  );
}

function poolColumns(
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
  chainName: (chainId: number) => string,
  links: GradeLinks,
): readonly Column<Row>[] {
  const unit = () => cleanText(symbol, 24);
  return [
    {
      key: 'name',
      label: 'Pool',
      value: ({ name }) => cleanText(name, 200),
      render: (pool) => (
        <span class="who">
          <PoolName pool={pool} />
          <small>
            {pool.protocolName !== '' && (
              <>
                <Name text={pool.protocolName} most={32} /> ·{' '}
              </>
            )}
            {chainName(pool.chainId)}
            {pool.status === 'exit-only' && ' · withdrawals only'}
            {pool.idleOnly && ' · reserve'}
          </small>
        </span>
      ),
    },
    ...chainColumns<Row>(({ chainId }) => chainId, chainName),
    {
      key: 'allocation',
      label: 'Allocation',
      numeric: true,
      value: ({ allocationBps }) => allocationBps / 10_000,
      unit: () => 'fraction of TVL',
      render: ({ allocationBps }) => <BarCell part={allocationBps / 10_000} />,
    },
    {
      key: 'value',
      label: `Value (${cleanText(symbol, 12)})`,
      fileLabel: 'Value',
      numeric: true,
      value: ({ value }) => decimalText(value, decimals),
      unit,
      render: ({ value }) => <Amount units={value} decimals={decimals} />,
    },
    rate('apy7d', 'APY 7 d'),
    { ...rate('apy30d', 'APY 30 d'), drop: 2 },
    {
      key: 'stated',
      label: 'Stated',
      drop: 1,
      title: 'The annual rate that the venue reports; otherwise the 7-day APY',
      numeric: true,
      value: ({ mechanismApy }) => mechanismApy,
      unit: () => 'fraction per year',
      render: ({ mechanismApy }) => (
        <Percent
          fraction={mechanismApy}
          why="not reported by the venue, and no data to compute it"
        />
      ),
    },
    {
      key: 'liquidity',
      label: 'Liquidity',
      drop: 3,
      numeric: true,
      value: ({ availableLiquidity: free }) => (free === null ? null : decimalText(free, decimals)),
      unit,
      render: ({ availableLiquidity }) => (
        <Amount units={availableLiquidity} decimals={decimals} why="not reported by the venue" />
      ),
    },
    {
      key: 'risk',
      label: 'Score',
      title: 'riskScore: 0 to 100, higher is safer. The letter grade is sold on the Risk page',
      numeric: true,
      value: ({ riskScore }) => (riskScore === 0 ? null : riskScore),
      render: ({ riskScore }) =>
        riskScore === 0 ? <Unknown why="this pool has no score" /> : <Score value={riskScore} />,
    },
    ...(links.price === null ? [] : [gradeColumn(links)]),
  ];
}

function gradeColumn(links: GradeLinks): Column<Row> {
  return {
    key: 'grade',
    label: 'Grade',
    title: 'The letter grade with its reasons is sold on the Risk page',
    drop: 2,
    render: (pool) => <GradeLink href={links.of(pool)} price={links.price!} />,
  };
}

function GradeLink({ href, price }: { readonly href: string | undefined; readonly price: string }) {
  if (href === undefined) return <Unknown why="the pool is not in the risk graph yet" />;
  return (
    <a data-own class="buy" href={href}>
      Grade · {price}
    </a>
  );
}

function rate(key: 'apy7d' | 'apy30d', label: string): Column<Row> {
  return {
    key,
    label,
    numeric: true,
    value: (pool) => pool[key],
    unit: () => 'fraction per year',
    render: (pool) => (
      <Percent fraction={pool[key]} why="no share price of the pool for this period" />
    ),
  };
}

function PoolName({ pool: { name, poolUrl, description } }: { readonly pool: Row }) {
  const href = webAddress(poolUrl);
  const title = cleanText(description, 300);
  if (href === undefined) return <Name text={name} />;
  return (
    <a href={href} rel="noreferrer noopener nofollow" target="_blank" title={title}>
      <Name text={name} />
    </a>
  );
}
