import { parseDecimal, scaleExactly } from '../domain/decimalText.ts';
import { lower } from '../domain/hex.ts';
import type { FacilitatorConfig, PaymentsConfig } from './config.ts';
import { PAYMENT_DEFAULTS as DEFAULTS, type PaymentsFile } from './paymentsSchema.ts';

/** Prices are in USD, and the asset is a dollar with so many decimals. */
const DECIMALS = 6;
const WEI_PER_GWEI = 1_000_000_000;

export function toPayments(read: PaymentsFile): PaymentsConfig {
  const { escalation = {}, rateLimit = {}, prices = {} } = read;
  const units = (route: keyof typeof DEFAULTS.prices) =>
    priceUnits(prices[route] ?? DEFAULTS.prices[route])!;
  return {
    chainId: read.chain,
    asset: lower(read.asset),
    assetName: read.assetName ?? DEFAULTS.assetName,
    assetVersion: read.assetVersion ?? DEFAULTS.assetVersion,
    payTo: lower(read.payTo),
    ...(read.publicUrl !== undefined && { publicUrl: read.publicUrl.replace(/\/+$/, '') }),
    prices: {
      schema: units('schema'),
      search: units('search'),
      node: units('node'),
      dependencies: units('dependencies'),
    },
    escalation: escalation.off
      ? null
      : {
          after: escalation.after ?? DEFAULTS.escalationAfter,
          factor: escalation.factor ?? DEFAULTS.escalationFactor,
          most: escalation.most ?? DEFAULTS.escalationMost,
        },
    rateLimit: {
      perSecond: rateLimit.perSecond ?? DEFAULTS.perSecond,
      burst: rateLimit.burst ?? DEFAULTS.burst,
    },
    blocked: (read.blocked ?? []).map(lower),
    maxTimeoutSeconds: read.maxTimeoutSeconds ?? DEFAULTS.maxTimeoutSeconds,
    keepAnswersSeconds: (read.keepAnswersHours ?? DEFAULTS.keepAnswersHours) * 3_600,
    facilitator: toFacilitator(read.facilitator),
  };
}

/** Base units of a price in USD; undefined when it has more decimals than the asset. */
export function priceUnits(usd: number): bigint | undefined {
  const decimal = parseDecimal(String(usd));
  return decimal && scaleExactly(decimal, DECIMALS);
}

/** Exactly one of keys and url is there: see consistency.ts. */
function toFacilitator(read: PaymentsFile['facilitator']): FacilitatorConfig {
  const factories = (read.factories ?? []).map(lower);
  if (read.url !== undefined) {
    return {
      kind: 'remote',
      url: read.url,
      headers: read.headers ?? {},
      timeoutSeconds: read.timeoutSeconds ?? DEFAULTS.remoteTimeoutSeconds,
      factories,
    };
  }
  return {
    kind: 'embedded',
    keys: read.keys!.map(lower),
    maxFeePerGas: BigInt(Math.round((read.maxFeeGwei ?? DEFAULTS.maxFeeGwei) * WEI_PER_GWEI)),
    lowBalance: BigInt(read.lowBalanceGwei ?? DEFAULTS.lowBalanceGwei) * BigInt(WEI_PER_GWEI),
    factories,
  };
}
