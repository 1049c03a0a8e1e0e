import { parseDecimal, scaleExactly } from '../domain/decimalText.ts';
import { lower } from '../domain/hex.ts';
import type { FacilitatorConfig, GasConfig, PaymentsConfig } from './config.ts';
import {
  DEFAULT_PRICES,
  PAYMENT_DEFAULTS as DEFAULTS,
  forEachPriced,
  type PaymentsFile,
} from './paymentsSchema.ts';

/** Prices are in USD, and the asset is a dollar with this many decimals. */
const DECIMALS = 6;
const WEI_PER_GWEI = 1_000_000_000;
const MILLION = 1_000_000;

export function toPayments(read: PaymentsFile): PaymentsConfig {
  const { escalation = {}, rateLimit = {}, addressLimit = {}, newPayers = {}, prices = {} } = read;
  const { lossLimit = {} } = read;
  return {
    chainId: read.chain,
    asset: lower(read.asset),
    assetName: read.assetName ?? DEFAULTS.assetName,
    assetVersion: read.assetVersion ?? DEFAULTS.assetVersion,
    payTo: lower(read.payTo),
    ...(read.publicUrl !== undefined && { publicUrl: read.publicUrl.replace(/\/+$/, '') }),
    prices: forEachPriced((name) => priceUnits(prices[name] ?? DEFAULT_PRICES[name])!),
    escalation:
      escalation.enabled === false
        ? null
        : {
            firstStepCalls: escalation.firstStepCalls ?? DEFAULTS.escalationFirstStepCalls,
            factor: escalation.factor ?? DEFAULTS.escalationFactor,
            maxFactor: escalation.maxFactor ?? DEFAULTS.escalationMaxFactor,
          },
    rateLimit: {
      perSecond: rateLimit.perSecond ?? DEFAULTS.perSecond,
      burst: rateLimit.burst ?? DEFAULTS.burst,
    },
    addressLimit: {
      perSecond: addressLimit.perSecond ?? DEFAULTS.addressPerSecond,
      burst: addressLimit.burst ?? DEFAULTS.addressBurst,
    },
    newPayers: {
      perSecond: newPayers.perSecond ?? DEFAULTS.newPayersPerSecond,
      burst: newPayers.burst ?? DEFAULTS.newPayersBurst,
    },
    gas: toGas(read.gas ?? {}),
    blocked: (read.blocked ?? []).map(lower),
    maxTimeoutSeconds: read.maxTimeoutSeconds ?? DEFAULTS.maxTimeoutSeconds,
    keepAnswersSeconds: (read.responseRetentionHours ?? DEFAULTS.responseRetentionHours) * 3_600,
    lossLimit: {
      payments: lossLimit.payments ?? DEFAULTS.lostPayments,
      seconds: (lossLimit.hours ?? DEFAULTS.lostHours) * 3_600,
    },
    facilitator: toFacilitator(read.facilitator),
  };
}

/** Converts a price in USD to base units; undefined if it has more decimals than the asset. */
export function priceUnits(usd: number): bigint | undefined {
  const decimal = parseDecimal(String(usd));
  return decimal && scaleExactly(decimal, DECIMALS);
}

function toGas(read: NonNullable<PaymentsFile['gas']>): GasConfig {
  return {
    nativePrice: read.nativeUsd === undefined ? null : priceUnits(read.nativeUsd)!,
    priceShare: BigInt(Math.round((read.maxCostRatio ?? DEFAULTS.gasPriceShare) * MILLION)),
    payerPerHour: BigInt(read.payerPerHour ?? DEFAULTS.gasPayerPerHour),
    lostPerHour: BigInt(read.maxFailedGasPerHour ?? DEFAULTS.gasLostPerHour),
    plainLostPerHour: BigInt(read.plainLostPerHour ?? DEFAULTS.gasPlainLostPerHour),
    waitSeconds: read.waitSeconds ?? DEFAULTS.gasWaitSeconds,
    maxWaitSeconds: read.maxWaitSeconds ?? DEFAULTS.gasMaxWaitSeconds,
  };
}

/** Exactly one of keys and url is present: see consistency/payments.ts. */
function toFacilitator(read: PaymentsFile['facilitator']): FacilitatorConfig {
  const factories = (read.factories ?? []).map(lower);
  if (read.url !== undefined) {
    return {
      kind: 'remote',
      url: read.url,
      headers: read.headers ?? {},
      ...(read.headersCommand !== undefined && { headersCommand: read.headersCommand }),
      timeoutSeconds: read.timeoutSeconds ?? DEFAULTS.remoteTimeoutSeconds,
      confirm: read.confirm ?? DEFAULTS.confirm,
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
