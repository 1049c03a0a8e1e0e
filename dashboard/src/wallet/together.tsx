import { Card } from '../components/card.tsx';
import { chainStateText } from '../components/chainStates.ts';
import { ViewActions } from '../components/download.tsx';
import { Await, Empty, Notice } from '../components/states.tsx';
import { fileOf, Table } from '../components/table.tsx';
import { Figure, Usd } from '../components/values.tsx';
import { shortAddress } from '../format/text.ts';
import { useChainName } from '../state/chains.ts';
import { useLive } from '../state/live.ts';
import { ofWallets } from '../state/topics.ts';
import { Movements } from './movements.tsx';
import { Pending } from './pending.tsx';
import { type Together as Read, readTogether } from './readTogether.ts';
import { StatementCard } from './statementCard.tsx';
import { familyColumns, walletColumns } from './togetherColumns.tsx';
import { WalletValue } from './valueCard.tsx';
import { hrefOf } from './wallets.ts';

/** Several wallets as one owner. */
export function Together({ wallets }: { readonly wallets: readonly string[] }) {
  const live = useLive(
    `together ${wallets}`,
    (signal) => readTogether(wallets, signal),
    30_000,
    ofWallets(wallets),
  );
  return (
    <Await live={live} lines={8}>
      {(read) => <Shown read={read} />}
    </Await>
  );
}

function Shown({ read }: { readonly read: Read }) {
  const { statement, missing } = read;
  const wallets = read.wallets.map(({ wallet }) => wallet);
  const unused = read.wallets.filter(({ families }) => families.length === 0);
  const chainName = useChainName();
  const { totals, families, year } = statement;
  return (
    <>
      {missing.length > 0 && (
        <Notice tone="bad">
          <p>
            Not included in anything on this page:{' '}
            {missing.map(({ wallet, why }) => `${shortAddress(wallet)}: ${why}`).join(' ')}
          </p>
        </Notice>
      )}
      {unused.length > 0 && (
        <Notice tone="plain">
          <p>
            Never held shares of a vault family on this server:{' '}
            {unused.map(({ wallet }) => shortAddress(wallet)).join(', ')}.
          </p>
        </Notice>
      )}
      {statement.incompleteChains.length > 0 && (
        <Notice>
          <p>
            Movements may be missing:{' '}
            {statement.incompleteChains
              .map(({ family, chainId, reason }) =>
                chainStateText(`${family} on ${chainName(chainId)}`, reason),
              )
              .join('; ')}
            .
          </p>
        </Notice>
      )}
      {families.length === 0 ? (
        <Empty>These wallets held no shares of a vault family in {year}.</Empty>
      ) : (
        <>
          <dl class="figures">
            <Figure label="Value">
              <Usd value={totals.closingValueUsd} />
            </Figure>
            <Figure label={`Deposits in ${year}`}>
              <Usd value={totals.depositsUsd} />
            </Figure>
            <Figure label={`Exits in ${year}`}>
              <Usd value={totals.exitsUsd} />
            </Figure>
            <Figure label={`Realized in ${year}`}>
              <Usd value={totals.realizedUsd} />
            </Figure>
          </dl>
          {totals.unpricedFamilies.length > 0 && (
            <Notice>
              <p>
                Not included in these totals, because a USD price is missing:{' '}
                {totals.unpricedFamilies.join(', ')}.
              </p>
            </Notice>
          )}
          <Families read={read} />
        </>
      )}
      <Wallets read={read} />
      <WalletValue wallets={wallets} />
      <Pending wallets={wallets} />
      {families.length > 0 && (
        <>
          <StatementCard wallets={wallets} />
          <Movements statement={statement} />
        </>
      )}
    </>
  );
}

function Families({ read }: { readonly read: Read }) {
  const { families, until, year } = read.statement;
  const columns = familyColumns(year);
  return (
    <Card
      id="performance"
      title="All wallets, as one owner"
      at={until}
      aside={
        <ViewActions
          shown={{
            name: `wallets-${read.wallets.length}`,
            ...fileOf(columns, families),
            json: () => read.statement,
          }}
        />
      }
    >
      <div class="cards">
        <Table
          caption="All wallets by family"
          columns={columns}
          rows={families}
          rowKey={({ family }) => family}
        />
      </div>
      <p class="soft">
        Cost is at average cost over all wallets. A transfer between them changes neither cost nor
        result.
      </p>
    </Card>
  );
}

function Wallets({ read }: { readonly read: Read }) {
  const columns = walletColumns((wallet) =>
    hrefOf(read.wallets.map((one) => one.wallet).filter((one) => one !== wallet)),
  );
  return (
    <Card
      id="wallets"
      title="Wallet by wallet"
      aside={
        <ViewActions
          shown={{ name: 'wallets', ...fileOf(columns, read.wallets), json: () => read.wallets }}
        />
      }
    >
      <div class="cards">
        <Table
          caption="Value of each wallet"
          columns={columns}
          rows={read.wallets}
          rowKey={({ wallet }) => wallet}
        />
      </div>
    </Card>
  );
}
