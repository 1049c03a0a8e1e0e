import { getHolders, type HoldersLargest, type Vault } from '@assay/client';
import { decimalText, plainNumber } from '../format/amount.ts';
import { shortAddress } from '../format/text.ts';
import { BarCell } from '../parts/barCell.tsx';
import { Card } from '../parts/card.tsx';
import { TakeAway } from '../parts/download.tsx';
import { Await, Empty } from '../parts/states.tsx';
import { type Column, fileOf, Table } from '../parts/table.tsx';
import { Amount } from '../parts/values.tsx';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';

type Row = HoldersLargest<bigint>;

/** Whose exit would matter most. */
export function LargestHolders({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, assets } = vault;
  const live = useLive(
    `holders ${slug}`,
    (signal) => getHolders(client, { slug, signal, amounts: 'bigint' }),
    60_000,
  );
  const columns = holderColumns(assets.share.decimals);
  return (
    <Card
      id="holders"
      title="Largest holders"
      aside={
        live.data && (
          <TakeAway
            shown={{
              name: `${slug}-holders`,
              ...fileOf(columns, live.data.largest),
              json: () => live.data,
            }}
          />
        )
      }
    >
      <Await live={live} lines={4}>
        {({ holders, largest }) =>
          largest.length === 0 ? (
            <Empty>Nobody has shares.</Empty>
          ) : (
            <>
              <Table
                caption="Largest holders"
                columns={columns}
                rows={largest}
                rowKey={({ wallet }) => wallet}
              />
              <p class="soft">
                {plainNumber(holders)} wallets have shares; these have{' '}
                {plainNumber(
                  largest.reduce((sum, { pct }) => sum + pct, 0),
                  1,
                )}{' '}
                % of them.
              </p>
            </>
          )
        }
      </Await>
    </Card>
  );
}

function holderColumns(decimals: number): readonly Column<Row>[] {
  return [
    {
      key: 'wallet',
      label: 'Wallet',
      value: ({ wallet }) => wallet,
      render: ({ wallet }) => (
        <a data-own href={`/wallet/${wallet}`} title={wallet}>
          <code>{shortAddress(wallet)}</code>
        </a>
      ),
    },
    {
      key: 'part',
      label: 'Part',
      numeric: true,
      value: ({ pct }) => pct,
      render: ({ pct }) => <BarCell part={pct / 100} />,
    },
    {
      key: 'shares',
      label: 'Shares',
      numeric: true,
      value: ({ shares }) => decimalText(shares, decimals),
      render: ({ shares }) => <Amount units={shares} decimals={decimals} />,
    },
  ];
}
