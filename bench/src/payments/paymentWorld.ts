import type { Hex } from 'viem';

/** A chain to pay on, with those who pay and the keys that settle. */
export interface PaymentWorld {
  readonly url: string;
  /** With gas money; each is to be used by one side only. */
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
/** What both sides sell: small, and ready before anybody asks. */
export const SOLD = { id: 'pool:base:demo', labels: ['Pool'], _riskTier: 'B', riskBreakdown: [] };

/** What a measured process answers. */
export interface SideAnswer {
  readonly port: number;
  /** Of the whole process, in milliseconds: what it says itself. */
  readonly cpuMs: number;
}

export interface SideSettings {
  readonly world: PaymentWorld;
  readonly key: Hex;
  /** Of ours: absent for the embedded database. */
  readonly databaseUrl?: string;
  /** Of ours: where the embedded database lives. */
  readonly folder?: string;
}

/** To a measured process: start, once; then how much it has used. */
export type SideMessage =
  | { readonly kind: 'start'; readonly settings: SideSettings }
  | { readonly kind: 'usage' }
  /** To ours: begins a profile, or ends it and writes it to the file. */
  | { readonly kind: 'profile'; readonly file?: string };

export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
