import { NotReady } from '../../problem.ts';
import { Shape } from '../../schemas.ts';
import type { PerformanceAnswer } from '../../vault/performanceSchema.ts';
import { defineBridge } from './bridge.ts';
import { FormattedValue, formatted, ZERO } from './values.ts';

export const performanceBridge = defineBridge<PerformanceAnswer>({
  from: 'getPerformance',
  asked: ({ family, wallet }) => ({
    path: { walletAddress: wallet },
    query: { family: family.slug },
  }),
  words:
    'At average cost, for the family over all its networks, regardless of the requested one. Both are 0 for a wallet that never held shares. 503 until the family has a share price.',
  data: Shape(
    {
      realized: FormattedValue('Profit or loss of redeemed shares, in the base asset.'),
      unrealized: FormattedValue('Profit or loss of held shares, in the base asset.'),
    },
    'The profit or loss of a wallet; both values can be negative.',
  ),
  example: { realized: formatted('-4200000', 6), unrealized: formatted('1250000', 6) },
  present({ families }, { deployment: { family } }) {
    const own = families.find((one) => one.family === family.slug);
    if (own === undefined) return { realized: ZERO, unrealized: ZERO };
    if (own.unrealized === null) throw new NotReady(`${family.slug} has no share price yet`);
    return {
      realized: formatted(own.realized, own.baseAssetDecimals),
      unrealized: formatted(own.unrealized, own.baseAssetDecimals),
    };
  },
});
