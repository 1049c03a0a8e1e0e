import { readText } from '../wire/readText.ts';
import { send, type Wire } from '../wire/send.ts';
import { asObject } from './base64.ts';
import type { OpenPayment } from './store.ts';

/** On-chain state of a payment. open: it can still be charged, or its state is unknown. */
export type Verdict = 'unused' | 'used' | 'open';

/** Selector of authorizationState(address,bytes32). */
const AUTHORIZATION_STATE = '0xe94a0102';

export interface ChainProof {
  verdict(payment: OpenPayment): Promise<Verdict>;
}

/** Reads from the payer's RPC endpoints, one per network. Without one, nothing is proven. */
export function createChainProof(options: {
  readonly wire: Wire;
  readonly rpc: Readonly<Record<string, string>>;
  /** Block tag from which on-chain state is treated as final. */
  readonly finality: string;
}): ChainProof {
  const { wire, rpc, finality } = options;
  return { verdict };

  async function verdict(payment: OpenPayment): Promise<Verdict> {
    const url = rpc[payment.network];
    if (url === undefined) return 'open';
    try {
      const chainId = Number(await ask(url, 'eth_chainId', []));
      if (payment.network !== `eip155:${chainId}`) return 'open';
      const block = asObject(await ask(url, 'eth_getBlockByNumber', [finality, false]));
      const data = `${AUTHORIZATION_STATE}${payment.payer.slice(2).padStart(64, '0')}${payment.nonce.slice(2)}`;
      const call = { to: payment.asset, data: data.toLowerCase() };
      const state = String(await ask(url, 'eth_call', [call, block?.number]));
      if (!/^0x0{63}[01]$/.test(state)) return 'open';
      if (state.endsWith('1')) return 'used';
      return Number(block?.timestamp) >= payment.validBefore ? 'unused' : 'open';
    } catch {
      return 'open';
    }
  }

  async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const text = await send(wire, url, { method: 'POST', headers, body, cut: true }, readText);
    return (JSON.parse(text) as { result?: unknown }).result;
  }
}
