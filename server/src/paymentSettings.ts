import { RpcError } from './chain/rpcError.ts';
import { createUpstreams } from './chain/upstreams.ts';
import { checkKeys, checkPayments, noChain } from './check/checkPayments.ts';
import type { CheckLine } from './check/line.ts';
import type { Log } from './cli/log.ts';
import type { ChainConfig, PaymentsConfig } from './config/config.ts';

/** Payments cannot work as they are configured; every fault is named with its fix. */
export class PaymentSettingsWrong extends Error {
  override readonly name = 'PaymentSettingsWrong';

  constructor(lines: readonly string[]) {
    super(`payments cannot be taken as configured:\n${lines.join('\n')}`);
  }
}

export interface SettingsTest {
  /** Ends what is still to be tested. */
  stop(): void;
}

/** A chain that does not answer holds nobody up: it is asked again at this pace. */
const AGAIN_MS = 30_000;
/** What a start waits for an answer. */
const PATIENCE_MS = 10_000;

/**
 * Holds the payment settings against their chain. Throws PaymentSettingsWrong; where the chain does not answer they are
 * tested as soon as it does, and faults are logged.
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
      'payment settings could not be tested, since their chain does not answer; they are as soon as it does',
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
      for (const text of faultsIn(found)) log.error({ fault: text }, 'payments cannot be taken');
    }, againMs);
    timer.unref();
  }

  /** Logs what only needs attention; the result is what cannot work. */
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

/** Undefined when the chain does not answer. */
async function look(payments: PaymentsConfig, chain: ChainConfig): Promise<Found | undefined> {
  const upstreams = createUpstreams({ chain });
  const late = setTimeout(() => upstreams.close(), PATIENCE_MS);
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
