import type { Vault } from '@assay/client';
import { ratio } from '../format/amount.ts';
import { plural } from '../format/text.ts';
import { Card } from '../parts/card.tsx';
import { SplitBar } from '../parts/splitBar.tsx';
import { Amount, Figure } from '../parts/values.tsx';
import { Waits } from './waits.tsx';

/** What could leave the vault at once, and what waits to. */
export function ExitNow({ vault }: { readonly vault: Vault<bigint> }) {
  const { stats, assets } = vault;
  const { decimals, symbol } = assets.base;
  const { inPools, silent } = poolLiquidity(vault);
  const atOnce =
    stats.idle > stats.pendingRedemptionAssets ? stats.idle - stats.pendingRedemptionAssets : 0n;
  return (
    <Card id="exit" title="Exit now">
      <dl class="figures small">
        <Figure label="Free at once" note="idle, less the queue">
          <Amount units={atOnce} decimals={decimals} symbol={symbol} />
        </Figure>
        <Figure
          label="Pools could return"
          note={
            silent > 0
              ? `${plural(silent, 'pool')} of ${stats.pools.length} did not say`
              : 'of their own liquidity'
          }
        >
          <Amount
            units={inPools}
            decimals={decimals}
            symbol={symbol}
            why={
              stats.pools.length === 0 ? 'no pool is known' : 'no pool says what it could return'
            }
          />
        </Figure>
        <Figure label="Queue ahead" note="owed to queued redemptions">
          <Amount units={stats.pendingRedemptionAssets} decimals={decimals} symbol={symbol} />
        </Figure>
      </dl>
      <Waits vault={vault} />
      <SplitBar
        label="How the value is split now"
        parts={[
          { name: 'Idle', part: ratio(stats.idle, stats.tvl) },
          { name: 'Invested', part: ratio(stats.invested, stats.tvl) },
          { name: 'Pending exits', part: ratio(stats.pendingExits, stats.tvl) },
        ]}
      />
    </Card>
  );
}

/** Never more than the family has there. */
function poolLiquidity({ stats }: Vault<bigint>): { inPools: bigint | null; silent: number } {
  const told = stats.pools.flatMap(({ value, availableLiquidity: free }) =>
    free === null ? [] : free < value ? free : value,
  );
  return {
    inPools: told.length === 0 ? null : told.reduce((sum, one) => sum + one, 0n),
    silent: stats.pools.length - told.length,
  };
}
