import type { Vault } from '@assay/client';
import { Card } from '../components/card.tsx';
import { SplitBar } from '../components/splitBar.tsx';
import { Amount, Figure } from '../components/values.tsx';
import { ratio } from '../format/amount.ts';
import { plural } from '../format/text.ts';

/** Shows how much can be redeemed now, and how much is queued. */
export function ExitNow({ vault }: { readonly vault: Vault<bigint> }) {
  const { stats, assets } = vault;
  const { decimals, symbol } = assets.base;
  const { inPools, silent } = poolLiquidity(vault);
  const atOnce =
    stats.idle > stats.pendingRedemptionAssets ? stats.idle - stats.pendingRedemptionAssets : 0n;
  return (
    <Card id="exit" title="Redeem now" at={stats.updatedAt}>
      <dl class="figures small">
        <Figure label="Available now" note="idle assets minus the queue">
          <Amount units={atOnce} decimals={decimals} symbol={symbol} />
        </Figure>
        <Figure
          label="Withdrawable from pools"
          note={
            silent > 0
              ? `unknown for ${silent} of ${plural(stats.pools.length, 'pool')}`
              : 'as reported by the pools'
          }
        >
          <Amount
            units={inPools}
            decimals={decimals}
            symbol={symbol}
            why={stats.pools.length === 0 ? 'no pools' : 'no pool reports its liquidity'}
          />
        </Figure>
        <Figure label="Queued redemptions" note="paid first">
          <Amount units={stats.pendingRedemptionAssets} decimals={decimals} symbol={symbol} />
        </Figure>
      </dl>
      <SplitBar
        label="Current split of the value"
        parts={[
          { name: 'Idle', part: ratio(stats.idle, stats.tvl) },
          { name: 'Invested', part: ratio(stats.invested, stats.tvl) },
          { name: 'Pending exits', part: ratio(stats.pendingExits, stats.tvl) },
        ]}
      />
    </Card>
  );
}

/** Adds up the pools' liquidity, limited to the family's position in each. */
function poolLiquidity({ stats }: Vault<bigint>): { inPools: bigint | null; silent: number } {
  const reported = stats.pools.flatMap(({ value, availableLiquidity: free }) =>
    free === null ? [] : free < value ? free : value,
  );
  return {
    inPools: reported.length === 0 ? null : reported.reduce((sum, one) => sum + one, 0n),
    silent: stats.pools.length - reported.length,
  };
}
