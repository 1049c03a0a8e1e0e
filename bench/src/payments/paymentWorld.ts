import type { Hex } from 'viem';

/** A payment chain with payers and settlement keys. */
export interface PaymentWorld {
  readonly url: string;
  /** Keys with a gas balance; each is used by one side only. */
  readonly keys: readonly Hex[];
  readonly payers: readonly { readonly address: Hex; readonly privateKey: Hex }[];
  readonly multicall: Hex;
  readonly terms: {
    readonly chainId: number;
    readonly asset: Hex;
    readonly assetName: string;
    readonly assetVersion: string;
    readonly payTo: Hex;
    readonly maxTimeoutSeconds: number;
  };
}

/** Base units: the price of a node query. */
export const PRICE = 50_000n;
/** The route, without the id of a node. */
export const ROUTE = '/api/v1/agent/node/';
export const PATH = `${ROUTE}pool:base:demo`;
/** The response that both sides sell: small, and prepared before the first request. */
export const SOLD = { id: 'pool:base:demo', labels: ['Pool'], _riskTier: 'B', riskBreakdown: [] };

/** Response of a measured process. */
export interface SideAnswer {
  readonly port: number;
  /** CPU of the process in milliseconds, as it reports it. */
  readonly cpuMs: number;
}

export interface SideSettings {
  readonly world: PaymentWorld;
  readonly key: Hex;
  /** Only for Assay; absent for the embedded database. */
  readonly databaseUrl?: string;
  /** Only for Assay: folder of the embedded database. */
  readonly folder?: string;
}

/** Message to a measured process: start once, then report usage. */
export type SideMessage =
  | { readonly kind: 'start'; readonly settings: SideSettings }
  | { readonly kind: 'usage' }
  /** Only for Assay: starts a profile, or ends it and writes it to the file. */
  | { readonly kind: 'profile'; readonly file?: string };

export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
