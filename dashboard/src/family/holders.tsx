import { getHolders, type HoldersLargest, type Vault } from '@assay/client';
import { BarCell } from '../components/barCell.tsx';
import { Card } from '../components/card.tsx';
import { ViewActions } from '../components/download.tsx';
import { FamilyLink } from '../components/familyLink.tsx';
import { Await, Empty } from '../components/states.tsx';
import { type Column, fileOf, Table } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { decimalText, plainNumber } from '../format/amount.ts';
import { cleanText, shortAddress } from '../format/text.ts';
import { client, useVaults } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { Concentration } from './concentration.tsx';

type Row = HoldersLargest<bigint>;

/** Lists the wallets whose redemption would affect the vault most. */
export function LargestHolders({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, assets } = vault;
  const live = useLive(
    `holders ${slug}`,
    (signal) => getHolders(client, { slug, signal, amounts: 'bigint' }),
    60_000,
    ofFamily(slug),
  );
  const columns = holderColumns(assets.share, useVaultName());
  return (
    <Card
      id="holders"
      title="Largest holders"
      aside={
        live.data && (
          <ViewActions
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
            <Empty>No holders.</Empty>
          ) : (
            <>
              <Table
                caption="Largest holders"
                columns={columns}
                rows={largest}
                rowKey={({ wallet }) => wallet}
              />
              <p class="soft">
                {plainNumber(holders)} wallets hold shares. The wallets listed hold{' '}
                {plainNumber(
                  largest.reduce((sum, { sharesPct }) => sum + sharesPct, 0),
                  1,
                )}
                % of all shares.
              </p>
              <Concentration vault={vault} />
            </>
          )
        }
      </Await>
    </Card>
  );
}

/** Returns a function that finds the family of a vault address: a feeder holds shares of its master. */
function useVaultName(): (address: string) => string | null {
  const vaults = useVaults().data ?? [];
  return (address) =>
    vaults.find(({ chains }) => chains.some(({ vault }) => vault === address))?.slug ?? null;
}

function holderColumns(
  {
    decimals,
    symbol,
  }: {
    readonly decimals: number;
    readonly symbol: string;
  },
  vaultOf: (address: string) => string | null,
): readonly Column<Row>[] {
  return [
    {
      key: 'wallet',
      label: 'Wallet',
      value: ({ wallet }) => wallet,
      render: ({ wallet }) => (
        <span class="who">
          <a data-own href={`/wallet/${wallet}`} title={wallet}>
            <code>{shortAddress(wallet)}</code>
          </a>
          {vaultOf(wallet) !== null && (
            <small>
              vault of <FamilyLink slug={vaultOf(wallet)!} />
            </small>
          )}
        </span>
      ),
    },
    { key: 'family', label: 'Vault of', value: ({ wallet }) => vaultOf(wallet) },
    {
      key: 'part',
      label: 'Ownership',
      numeric: true,
      value: ({ sharesPct }) => sharesPct,
      unit: () => 'percent of all shares',
      render: ({ sharesPct }) => <BarCell part={sharesPct / 100} />,
    },
    {
      key: 'shares',
      label: 'Shares',
      numeric: true,
      value: ({ shares }) => decimalText(shares, decimals),
      unit: () => cleanText(symbol, 24),
      render: ({ shares }) => <Amount units={shares} decimals={decimals} />,
    },
  ];
}
