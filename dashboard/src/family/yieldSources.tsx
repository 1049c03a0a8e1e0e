import { getYield, type Vault } from '@assay/client';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty } from '../components/states.tsx';
import { type Column, chainColumns, fileOf, Table } from '../components/table.tsx';
import { Amount, Name, Percent } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { client } from '../state/api.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';

type Answer = Awaited<ReturnType<typeof readYield>>;

/** A row of the table: a source, the rest, or the sum. */
interface Row {
  readonly name: string;
  readonly note: string;
  readonly chainId: number | null;
  readonly assets: bigint;
  readonly fraction: number | null;
}

const KINDS = { pool: 'pool', reward: 'rewards', shareFees: 'fees in shares' } as const;

/** Shows what the return of the last 30 days came from. The parts add up exactly. */
export function YieldSources({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug } = vault;
  const live = useLive(
    `yield ${slug}`,
    (signal) => readYield(slug, signal),
    300_000,
    ofFamily(slug),
  );
  const columns = yieldColumns(vault, useChainName());
  const rows = live.data === undefined ? [] : rowsOf(live.data, vault);
  return (
    <Card
      id="yield"
      title="Yield by source, 30 d"
      at={live.data?.to ?? undefined}
      aside={
        rows.length > 0 && (
          <ViewActions
            shown={{ name: `${slug}-yield`, ...fileOf(columns, rows), json: () => live.data }}
          />
        )
      }
    >
      <Await live={live} lines={4}>
        {() =>
          rows.length === 0 ? (
            <Empty>The sources are shown from the second data point on.</Empty>
          ) : (
            <Table
              caption="Yield by source"
              columns={columns}
              rows={rows}
              rowKey={({ name, note, chainId }) => `${name} ${note} ${chainId}`}
            />
          )
        }
      </Await>
    </Card>
  );
}

function readYield(slug: string, signal: AbortSignal) {
  return getYield(client, { slug, signal, amounts: 'bigint' });
}

/** Sources that contributed nothing are left out. */
function rowsOf(
  { sources, unattributed, total }: Answer,
  { stats }: Pick<Vault<bigint>, 'stats'>,
): Row[] {
  if (total === null || unattributed === null) return [];
  const nameOf = (chainId: number | null, offchainId: string | null) =>
    stats.pools.find((pool) => pool.chainId === chainId && pool.offchainId === offchainId)?.name ??
    offchainId ??
    'Fees';
  return [
    ...sources
      .filter(({ assets }) => assets !== 0n)
      .map(({ source, chainId, offchainId, assets, fraction }) => ({
        ...{ name: cleanText(nameOf(chainId, offchainId), 40), note: KINDS[source] },
        ...{ chainId, assets, fraction },
      })),
    { name: 'Not attributed', note: 'the rest', chainId: null, ...unattributed },
    { name: 'Total', note: 'rise of the share price', chainId: null, ...total },
  ];
}

function yieldColumns(
  { assets }: Vault<bigint>,
  chainName: (chainId: number) => string,
): readonly Column<Row>[] {
  const { decimals, symbol } = assets.base;
  return [
    {
      key: 'source',
      label: 'Source',
      value: ({ name }) => name,
      render: ({ name, note, chainId }) => (
        <span class="who">
          <Name text={name} />
          <small>{chainId === null ? note : `${note} · ${chainName(chainId)}`}</small>
        </span>
      ),
    },
    { key: 'kind', label: 'Kind', value: ({ note }) => note },
    ...chainColumns<Row>(({ chainId }) => chainId, chainName),
    {
      key: 'part',
      label: 'Return',
      title: 'Part of the average value in the 30 days, not per year',
      numeric: true,
      value: ({ fraction }) => fraction,
      unit: () => 'fraction in 30 days',
      render: ({ fraction }) => (
        <Percent fraction={fraction} digits={3} why="nothing was held in these days" />
      ),
    },
    {
      key: 'amount',
      label: 'Amount',
      numeric: true,
      value: ({ assets: units }) => decimalText(units, decimals),
      unit: () => cleanText(symbol, 24),
      render: ({ assets: units }) => <Amount units={units} decimals={decimals} symbol={symbol} />,
    },
  ];
}
