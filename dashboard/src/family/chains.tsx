import type { Vault, VaultChain, VaultChainStats } from '@assay/client';
import { useContext } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Age, Amount, STALE_SECONDS, Unknown } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { ChainsContext, useChainName } from '../state/chains.ts';

interface Row extends VaultChain {
  /** Undefined: this chain has not been read yet. */
  readonly stats: VaultChainStats<bigint> | undefined;
  readonly state: string;
}

const NEVER = 'this chain has not been read yet';

export function Chains({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, chains, stats, assets } = vault;
  const status = useContext(ChainsContext);
  const rows = chains.map((chain): Row => {
    const known = status?.chains.find(({ chainId }) => chainId === chain.chainId);
    return {
      ...chain,
      stats: stats.chains.find(({ chainId }) => chainId === chain.chainId),
      state: known?.families.find(({ family }) => family === slug)?.state ?? 'unknown',
    };
  });
  const columns = familyChainColumns(assets.base, useChainName());
  return (
    <Card
      id="chains"
      title="Chains"
      aside={
        <ViewActions
          shown={{ name: `${slug}-chains`, ...fileOf(columns, rows), json: () => rows }}
        />
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

function familyChainColumns(
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
  chainName: (chainId: number) => string,
): readonly Column<Row>[] {
  const amount = (key: 'tvl' | 'idle' | 'invested', label: string): Column<Row> => ({
    key,
    label,
    numeric: true,
    value: ({ stats }) => (stats ? decimalText(stats[key], decimals) : null),
    unit: () => cleanText(symbol, 24),
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
    { key: 'chainId', label: 'Chain id', value: ({ chainId }) => chainId },
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
      key: 'at',
      label: 'As of',
      title: 'When this was the latest block. The values are as of this time',
      numeric: true,
      value: ({ stats }) => stats?.at ?? null,
      render: ({ stats }) =>
        stats ? <Age at={stats.at} staleAfter={STALE_SECONDS} /> : <Unknown why={NEVER} />,
    },
  ];
}
