import type { Vault, VaultChain, VaultChainStats } from '@assay/client';
import { useContext } from 'preact/hooks';
import { decimalText } from '../format/amount.ts';
import { spanText } from '../format/time.ts';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { type Column, fileOf, Table } from '../parts/table.tsx';
import { Amount, Unknown } from '../parts/values.tsx';
import { ChainsContext, useChainName } from '../state/chains.ts';

interface Row extends VaultChain {
  /** Undefined: this chain was never read. */
  readonly stats: VaultChainStats<bigint> | undefined;
  readonly state: string;
  readonly lagSeconds: number | null;
}

const NEVER = 'this chain was never read';

export function Chains({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, chains, stats, assets } = vault;
  const status = useContext(ChainsContext);
  const rows = chains.map((chain): Row => {
    const known = status?.chains.find(({ chainId }) => chainId === chain.chainId);
    return {
      ...chain,
      stats: stats.chains.find(({ chainId }) => chainId === chain.chainId),
      state: known?.families.find(({ family }) => family === slug)?.state ?? 'unknown',
      lagSeconds: known?.lagSeconds ?? null,
    };
  });
  const columns = chainColumns(assets.base.decimals, useChainName());
  return (
    <Card
      id="chains"
      title="Chains"
      aside={
        <TakeAway shown={{ name: `${slug}-chains`, ...fileOf(columns, rows), json: () => rows }} />
      }
    >
      <div class="cards">
        <Table
          caption="The family on each chain"
          columns={columns}
          rows={rows}
          rowKey={({ chainId }) => String(chainId)}
        />
      </div>
    </Card>
  );
}

function chainColumns(
  decimals: number,
  chainName: (chainId: number) => string,
): readonly Column<Row>[] {
  const amount = (key: 'tvl' | 'idle' | 'invested', label: string): Column<Row> => ({
    key,
    label,
    numeric: true,
    value: ({ stats }) => (stats ? decimalText(stats[key], decimals) : null),
    render: ({ stats }) => <Amount units={stats?.[key] ?? null} decimals={decimals} why={NEVER} />,
  });
  return [
    {
      key: 'chain',
      label: 'Chain',
      value: ({ chainId }) => chainName(chainId),
      render: ({ chainId, role, state }) => (
        <span class="who">
          <span>{chainName(chainId)}</span>
          <small>
            {role}
            {state !== 'current' && state !== 'unknown' && <b class="old"> · {state}</b>}
          </small>
        </span>
      ),
    },
    amount('tvl', 'TVL'),
    amount('idle', 'Idle'),
    amount('invested', 'Invested'),
    {
      key: 'block',
      label: 'Block',
      numeric: true,
      value: ({ stats }) => stats?.block ?? null,
      render: ({ stats }) =>
        stats ? (
          <data value={String(stats.block)}>{String(stats.block)}</data>
        ) : (
          <Unknown why={NEVER} />
        ),
    },
    {
      key: 'age',
      label: 'Age',
      numeric: true,
      value: ({ lagSeconds }) => lagSeconds,
      render: ({ lagSeconds }) =>
        lagSeconds === null ? <Unknown why={NEVER} /> : <span>{spanText(lagSeconds)}</span>,
    },
  ];
}
