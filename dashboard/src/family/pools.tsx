import type { Pool, Vault } from '@assay/client';
import { decimalText } from '../format/amount.ts';
import { cleanText, webAddress } from '../format/text.ts';
import { BarCell } from '../parts/barCell.tsx';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Score } from '../parts/score.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, fileOf, type Sort, sortRows, Table } from '../parts/table.tsx';
import { Amount, Name, Percent, Unknown } from '../parts/values.tsx';
import { useChainName } from '../state/chains.ts';
import { useText } from '../state/url.ts';

type Row = Pool<bigint>;

export function Pools({ vault }: { readonly vault: Vault<bigint> }) {
  const { stats, assets, slug } = vault;
  const [sorted, setSorted] = useText('pools');
  const [key = 'allocation', way = 'down'] = (sorted || 'allocation.down').split('.');
  const sort: Sort = { key, down: way === 'down' };
  const columns = poolColumns(assets.base, useChainName());
  const rows = sortRows(stats.pools, columns, sort);
  return (
    <Card
      id="pools"
      title="Pools"
      aside={
        rows.length > 0 && (
          <TakeAway shown={{ name: `${slug}-pools`, ...fileOf(columns, rows), json: () => rows }} />
        )
      }
    >
      {rows.length === 0 ? (
        <Empty>No pool of this family is known.</Empty>
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
    </Card>
  );
}

function poolColumns(
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
  chainName: (chainId: number) => string,
): readonly Column<Row>[] {
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
            {pool.status === 'exit-only' && ' · exit only'}
            {pool.idleOnly && ' · held ready'}
          </small>
        </span>
      ),
    },
    {
      key: 'allocation',
      label: 'Allocation',
      numeric: true,
      value: ({ allocationBps }) => allocationBps / 10_000,
      render: ({ allocationBps }) => <BarCell part={allocationBps / 10_000} />,
    },
    {
      key: 'value',
      label: `Value (${cleanText(symbol, 12)})`,
      numeric: true,
      value: ({ value }) => decimalText(value, decimals),
      render: ({ value }) => <Amount units={value} decimals={decimals} />,
    },
    rate('apy7d', 'APY 7 d'),
    rate('apy30d', 'APY 30 d'),
    {
      key: 'stated',
      label: 'Stated',
      title: 'The yearly rate that the venue itself states, else the 7-day figure',
      numeric: true,
      value: ({ mechanismApy }) => mechanismApy,
      render: ({ mechanismApy }) => (
        <Percent fraction={mechanismApy} why="the venue states none, and none can be measured" />
      ),
    },
    {
      key: 'liquidity',
      label: 'Liquidity',
      numeric: true,
      value: ({ availableLiquidity: free }) => (free === null ? null : decimalText(free, decimals)),
      render: ({ availableLiquidity }) => (
        <Amount
          units={availableLiquidity}
          decimals={decimals}
          why="the venue does not say what could be taken out"
        />
      ),
    },
    {
      key: 'risk',
      label: 'Score',
      title: 'riskScore: 0 to 100, higher is safer. The letter is sold on the risk page',
      numeric: true,
      value: ({ riskScore }) => (riskScore === 0 ? null : riskScore),
      render: ({ riskScore }) =>
        riskScore === 0 ? <Unknown why="this pool is not scored" /> : <Score value={riskScore} />,
    },
  ];
}

function rate(key: 'apy7d' | 'apy30d', label: string): Column<Row> {
  return {
    key,
    label,
    numeric: true,
    value: (pool) => pool[key],
    render: (pool) => (
      <Percent fraction={pool[key]} why="no share price of the pool is known over that time" />
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
