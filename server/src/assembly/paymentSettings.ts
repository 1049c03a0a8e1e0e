import { RpcError } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import { checkKeys, checkPayments, noChain } from '../check/checkPayments.ts';
import type { CheckLine } from '../check/line.ts';
import type { Log } from '../cli/log.ts';
import type { ChainConfig, PaymentsConfig } from '../config/config.ts';

/** Payments cannot work as configured; every problem is listed with its fix. */
export class PaymentSettingsWrong extends Error {
  override readonly name = 'PaymentSettingsWrong';

  constructor(lines: readonly string[]) {
    super(`payments do not work as configured:\n${lines.join('\n')}`);
  }
}

export interface SettingsTest {
  /** Ends pending checks. */
  stop(): void;
}

/** A chain that does not respond blocks nothing: it is retried at this interval. */
const AGAIN_MS = 30_000;
/** How long a start waits for a response. */
const TIMEOUT_MS = 10_000;

/**
 * Validates the payment settings against their chain. Throws PaymentSettingsWrong; if the chain does not respond,
 * they are validated as soon as it does, and problems are logged.
 */
export async function testPaymentSettings(given: {
  readonly payments: PaymentsConfig;
  readonly chain: ChainConfig;
  readonly log: Log;
  readonly againMs?: number;
}): Promise<SettingsTest> {
  const { payments, chain, log, againMs = AGAIN_MS } = given;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  if (chain.rpcUrls.length === 0) {
    throw new PaymentSettingsWrong([noChain(payments).text]);
  }
  const first = await look(payments, chain);
  if (first === undefined) {
    log.warn(
      { chainId: chain.chainId },
      'the payment settings could not be checked, because their chain does not respond; they are checked once it does',
    );
    later();
  } else {
    const wrong = faultsIn(first);
    if (wrong.length > 0) throw new PaymentSettingsWrong(wrong);
  }
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  function later(): void {
    timer = setTimeout(async () => {
      const found = await look(payments, chain);
      if (stopped) return;
      if (found === undefined) return later();
      for (const text of faultsIn(found))
        log.error({ fault: text }, 'payments do not work as configured');
    }, againMs);
    timer.unref();
  }

  /** Logs warnings; returns errors. */
  function faultsIn({ settings, keys }: Found): string[] {
    const noted = [
      ...settings.filter(({ warning }) => warning),
      ...keys.filter(({ ok, warning }) => !ok || warning),
    ];
    for (const { text } of noted) log.warn({ note: text }, 'a payment setting needs attention');
    return settings.filter(({ ok }) => !ok).map(({ text }) => text);
  }
}

interface Found {
  readonly settings: readonly CheckLine[];
  readonly keys: readonly CheckLine[];
}

/** Undefined if the chain does not respond. */
async function look(payments: PaymentsConfig, chain: ChainConfig): Promise<Found | undefined> {
  const upstreams = createUpstreams({ chain });
  const late = setTimeout(() => upstreams.close(), TIMEOUT_MS);
  try {
    const { client, head } = await upstreams.pick();
    const at = { client, block: head.number };
    const settings = await checkPayments(at, payments);
    return { settings, keys: await checkKeys(at, payments, chain.multicall) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return undefined;
  } finally {
    clearTimeout(late);
    upstreams.close();
  }
}
