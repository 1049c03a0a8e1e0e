import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import { isLoopback } from './clientAddress.ts';

/** What the pages must know of the server before they pay it, for who asks. */
export type DashboardSettings = (request: IncomingMessage) => {
  /** Null: nothing is sold. */
  readonly payments: {
    readonly network: string;
    readonly asset: string;
    readonly payTo: string;
    /** Base prices, in base units of the asset, which has 6 decimals. */
    readonly prices: Readonly<Record<string, string>>;
  } | null;
  /** In the demo no other wallet may pay. */
  readonly isDemo: boolean;
  /** Of the demo's wallet for the pages, and for this machine only. */
  readonly walletKey: string | null;
};

export function createDashboardSettings({
  payments,
  demo,
}: Pick<Config, 'payments' | 'demo'>): DashboardSettings {
  const offer =
    payments === undefined
      ? null
      : {
          network: `eip155:${payments.chainId}`,
          asset: payments.asset,
          payTo: payments.payTo,
          prices: Object.fromEntries(
            Object.entries(payments.prices).map(([route, units]) => [route, String(units)]),
          ),
        };
  return (request) => ({
    payments: offer,
    isDemo: demo !== undefined,
    walletKey: (isFromHere(request) && demo?.walletKey) || null,
  });
}

/** By both ends: a page of another site may name this machine anything it likes. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(name) && !isForwarded;
}
