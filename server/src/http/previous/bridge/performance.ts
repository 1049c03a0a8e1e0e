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
    'At average cost, of the family over all its networks, whichever was asked for; both are 0 for a wallet that never held shares. 503 until the family has a share price.',
  data: Shape(
    {
      realized: FormattedValue('Gain of shares that were redeemed, in the base asset.'),
      unrealized: FormattedValue('Gain of shares still held, in the base asset.'),
    },
    'What a wallet has earned; both may be negative.',
  ),
  example: { realized: formatted('-4200000', 6), unrealized: formatted('1250000', 6) },
  present({ families }, { place: { family } }) {
    const own = families.find((one) => one.family === family.slug);
    if (own === undefined) return { realized: ZERO, unrealized: ZERO };
    if (own.unrealized === null) throw new NotReady(`${family.slug} has no share price yet`);
    return {
      realized: formatted(own.realized, own.baseAssetDecimals),
      unrealized: formatted(own.unrealized, own.baseAssetDecimals),
    };
  },
});
