import { getPendingRedeems, type ListedVault, type PendingRedeem } from '@assay/client';
import { useContext } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { chainStateText } from '../components/chainStates.ts';
import { ViewActions } from '../components/download.tsx';
import { FamilyLink } from '../components/familyLink.tsx';
import { Await, Empty, Notice } from '../components/states.tsx';
import { type Column, chainColumns, fileOf, Table } from '../components/table.tsx';
import { Address, Amount } from '../components/values.tsx';
import { decimalText } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { client, useVaults } from '../state/api.ts';
import { ChainsContext, useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';

interface Row extends PendingRedeem<bigint> {
  readonly wallet: string;
}

/** Each wallet is one read of every chain. */
const EVERY_MS = 15_000;

/** Shows queued redemptions, read live from the chains. */
export function Pending({ wallets }: { readonly wallets: readonly string[] }) {
  const live = useLive(
    `pending ${wallets}`,
    (signal) => readPending(wallets, signal),
    EVERY_MS * wallets.length,
  );
  const nameOf = useChainName();
  const chains = useContext(ChainsContext)?.chains ?? [];
  // Read live: a chain that is fully indexed can still be unreachable.
  const stateOf = (id: number) => {
    const state = chains.find(({ chainId }) => chainId === id)?.state;
    return state === undefined || state === 'live' ? 'unreachable' : state;
  };
  const hasClaims = live.data?.redeems.some((one) => one.claimableShares !== undefined) ?? false;
  const columns = pendingColumns(nameOf, useVaults().data ?? [], {
    hasClaims,
    hasWallets: wallets.length > 1,
  });
  return (
    <Card
      id="pending"
      title="Pending redemptions"
      aside={
        live.data && live.data.redeems.length > 0 ? (
          <ViewActions
            shown={{
              name: `pending-${wallets.length === 1 ? wallets[0] : 'wallets'}`,
              ...fileOf(columns, live.data.redeems),
              json: () => live.data,
            }}
          />
        ) : undefined
      }
    >
      <Await live={live} lines={2}>
        {({ redeems, incompleteChains }) => (
          <>
            {incompleteChains.length > 0 && (
              <Notice>
                <p>
                  Redemptions may be missing:{' '}
                  {incompleteChains.map((id) => chainStateText(nameOf(id), stateOf(id))).join('; ')}
                  .
                </p>
              </Notice>
            )}
            {redeems.length === 0 ? (
              <Empty>No pending redemptions.</Empty>
            ) : (
              <div class="cards">
                <Table
                  caption="Pending redemptions"
                  columns={columns}
                  rows={redeems}
                  rowKey={({ chainId, vault, wallet }) => `${chainId} ${vault} ${wallet}`}
                />
              </div>
            )}
          </>
        )}
      </Await>
    </Card>
  );
}

async function readPending(wallets: readonly string[], signal: AbortSignal) {
  const found = await Promise.all(
    wallets.map(async (walletAddress) => {
      const answer = await getPendingRedeems(client, { walletAddress, signal, amounts: 'bigint' });
      const redeems = answer.redeems.map((one): Row => ({ ...one, wallet: walletAddress }));
      return { ...answer, redeems };
    }),
  );
  const incomplete = new Set(found.flatMap(({ incompleteChains }) => incompleteChains));
  return {
    redeems: found.flatMap(({ redeems }) => redeems),
    incompleteChains: [...incomplete].sort((a, b) => a - b),
  };
}

const UNKNOWN_BEFORE: Readonly<Record<NonNullable<Row['assetsAheadReason']>, string>> = {
  claimable: 'no longer queued: it can be claimed',
  'not-indexed': 'the indexed requests do not match the vault yet',
  'several-vaults': 'several vaults share this queue, and their requests cannot be told apart',
  unpriced: 'no share price yet',
};

const WALLET: Column<Row> = {
  key: 'wallet',
  label: 'Wallet',
  value: ({ wallet }) => wallet,
  render: ({ wallet }) => <Address value={wallet} />,
};

function pendingColumns(
  chainName: (chainId: number) => string,
  vaults: readonly ListedVault<bigint>[],
  { hasClaims, hasWallets }: { readonly hasClaims: boolean; readonly hasWallets: boolean },
): readonly Column<Row>[] {
  const queueOf = ({ family }: Row) =>
    vaults.find(({ slug }) => slug === family)?.stats?.pendingRedemptionAssets ?? null;
  return [
    {
      key: 'family',
      label: 'Family',
      value: ({ family }) => family,
      render: ({ family, chainId }) => (
        <span class="who">
          <FamilyLink slug={family} />
          <small>{chainName(chainId)}</small>
        </span>
      ),
    },
    ...chainColumns<Row>(({ chainId }) => chainId, chainName),
    ...(hasWallets ? [WALLET] : []),
    {
      key: 'shares',
      label: 'Shares',
      numeric: true,
      value: ({ shares, shareDecimals }) => decimalText(shares, shareDecimals),
      unit: () => 'shares',
      render: ({ shares, shareDecimals }) => <Amount units={shares} decimals={shareDecimals} />,
    },
    assets('requestedAssets', 'Requested', (row) => row.requestedAssets, { drop: 2 }),
    assets('currentAssets', 'Worth now', (row) => row.currentAssets),
    ...(hasClaims
      ? [
          assets('claimable', 'Claimable', (row) => row.claimableAssets ?? null, {
            why: () => 'not reported by the vault',
          }),
        ]
      : []),
    assets('before', 'Queued ahead', (row) => row.assetsAhead, {
      title: 'Earlier requests of other wallets that are still pending, first in, first out',
      why: ({ assetsAheadReason: reason }) =>
        reason === null ? 'not reported by the server' : UNKNOWN_BEFORE[reason],
    }),
    assets('queue', 'Total queue', queueOf, {
      drop: 1,
      title: 'Assets owed to all queued redemptions of the family on all chains',
      why: () => 'the family is not indexed yet',
    }),
  ];
}

function assets(
  key: string,
  label: string,
  units: (row: Row) => bigint | null,
  {
    title,
    why,
    drop,
  }: {
    readonly title?: string;
    readonly why?: (row: Row) => string;
    readonly drop?: 1 | 2 | 3;
  } = {},
): Column<Row> {
  return {
    key,
    label,
    numeric: true,
    ...(title !== undefined && { title }),
    ...(drop !== undefined && { drop }),
    value: (row) => {
      const found = units(row);
      return found === null ? null : decimalText(found, row.baseAssetDecimals);
    },
    unit: ({ baseAssetSymbol }) => cleanText(baseAssetSymbol, 24),
    render: (row) => (
      <Amount
        units={units(row)}
        decimals={row.baseAssetDecimals}
        symbol={row.baseAssetSymbol}
        {...(why && { why: why(row) })}
      />
    ),
  };
}
