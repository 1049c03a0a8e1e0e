import type { IncomingMessage } from 'node:http';
import type { DashboardOffer, DashboardSettings as Settings } from '@assay/client';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import { isLoopback } from './clientAddress.ts';

/** The payment settings that the pages need, for one client. */
export type DashboardSettings = (request: IncomingMessage) => Settings;

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
          ) as DashboardOffer['prices'],
        };
  return (request) => ({
    payments: offer,
    isDemo: demo !== undefined,
    walletKey: (isFromHere(request) && demo?.walletKey) || null,
  });
}

/** Checks both ends: a page of another site can use any name for this machine. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(name) && !isForwarded;
}
