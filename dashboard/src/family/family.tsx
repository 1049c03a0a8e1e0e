import { getVault, type Vault } from '@assay/client';
import { Transactions } from '../activity/transactions.tsx';
import { FamilyChainNotice } from '../components/chainNotice.tsx';
import { Crumb } from '../components/crumb.tsx';
import { Deferred } from '../components/deferred.tsx';
import { CopyButton } from '../components/download.tsx';
import { FamilyLink } from '../components/familyLink.tsx';
import { TokenMark } from '../components/marks.tsx';
import { Await } from '../components/states.tsx';
import {
  Address,
  Age,
  Amount,
  Figure,
  Name,
  Percent,
  STALE_SECONDS,
  Usd,
} from '../components/values.tsx';
import { client, TICKS_MS, useVaults } from '../state/api.ts';
import { useLive } from '../state/live.ts';
import { ofFamily } from '../state/topics.ts';
import { Chains } from './chains.tsx';
import { Composition } from './composition.tsx';
import { Control } from './control.tsx';
import { ExitFor } from './exitFor.tsx';
import { ExitNow } from './exitNow.tsx';
import { Exposures } from './exposure.tsx';
import { FamilyChart } from './familyChart.tsx';
import { Flows } from './flowsCard.tsx';
import { LargestHolders } from './holders.tsx';
import { PastRisk } from './pastRisk.tsx';
import { Pools } from './pools.tsx';
import { Waits } from './waits.tsx';
import { YieldSources } from './yieldSources.tsx';

export function Family({ slug }: { readonly slug: string }) {
  const live = useLive(
    `vault ${slug}`,
    (signal) => getVault(client, { slug, signal, amounts: 'bigint' }),
    TICKS_MS,
    ofFamily(slug),
  );
  return (
    <>
      {live.data === undefined && (
        <div class="head">
          <Crumb href="/" name="Families" />
          <h1 tabIndex={-1}>
            <Name text={slug} />
          </h1>
        </div>
      )}
      <Await live={live} lines={10}>
        {(vault) => <FamilyPage vault={vault} />}
      </Await>
    </>
  );
}

function FamilyPage({ vault }: { readonly vault: Vault<bigint> }) {
  const { slug, name, address, assets, stats } = vault;
  const { decimals, symbol } = assets.base;
  return (
    <>
      <div class="head">
        <Crumb href="/" name="Families" />
        <h1 tabIndex={-1} class="marked">
          <TokenMark symbol={symbol} />
          <Name text={name} most={64} />
        </h1>
        <p class="sub">
          <code>{slug}</code> · <Name text={assets.base.name} /> · vault <Address value={address} />
          <CopyButton text={() => address} label="Copy" />
          <RelatedFamilies slug={slug} feederOf={vault.feederOf} />
        </p>
      </div>
      <FamilyChainNotice slugs={[slug]} />
      <dl class="figures">
        <Figure label="TVL" note={<Amount units={stats.tvl} decimals={decimals} symbol={symbol} />}>
          <Usd value={stats.tvlUsd} />
        </Figure>
        <Figure
          label="APY 7 d"
          note={
            <>
              1 d: <Percent fraction={stats.apy1d} />
            </>
          }
        >
          <Percent fraction={stats.apy7d} />
        </Figure>
        <Figure
          label="APY 30 d"
          note={
            stats.rewardApr > 0 ? (
              <>
                rewards: <Percent fraction={stats.rewardApr} />
              </>
            ) : (
              'no rewards'
            )
          }
        >
          <Percent fraction={stats.apy30d} />
        </Figure>
        <Figure label="Share price" note={<Name text={symbol} most={12} />}>
          <Amount
            kind="price"
            units={stats.assetsPerShare}
            decimals={decimals}
            why="no share price yet"
          />
        </Figure>
        <Figure label="Updated" note={stats.importedFromLegacy ? 'includes imported data' : ''}>
          <Age at={stats.updatedAt} staleAfter={STALE_SECONDS} />
        </Figure>
      </dl>
      <Deferred>
        {() => (
          <>
            <FamilyChart vault={vault} />
            <Flows vault={vault} />
            <Composition vault={vault} />
            <div class="columns">
              <div class="stack">
                <ExitFor vault={vault} />
                <ExitNow vault={vault} />
                <Waits vault={vault} />
                <PastRisk vault={vault} />
                <Chains vault={vault} />
              </div>
              <div class="stack">
                <YieldSources vault={vault} />
                <LargestHolders vault={vault} />
              </div>
            </div>
            <Pools vault={vault} />
            <Exposures vault={vault} />
            <Control vault={vault} />
            <Transactions family={slug} period="" pageSize={10} />
          </>
        )}
      </Deferred>
    </>
  );
}

/** Links to the master family and to the feeders. */
function RelatedFamilies({
  slug,
  feederOf,
}: {
  readonly slug: string;
  readonly feederOf: string | null;
}) {
  const feeders = (useVaults().data ?? []).filter((one) => one.feederOf === slug);
  return (
    <>
      {feederOf !== null && (
        <>
          {' · feeder of '}
          <FamilyLink slug={feederOf} />
        </>
      )}
      {feeders.length > 0 && ' · feeders: '}
      {feeders.map((feeder, index) => (
        <>
          {index > 0 && ', '}
          <FamilyLink key={feeder.slug} slug={feeder.slug} />
        </>
      ))}
    </>
  );
}
