import type { AuthorizationTypedData, Signer } from '../pay/authorization.ts';

export interface RpcSignerOptions {
  /** The account that signs. */
  readonly address: string;
  /** URL of the signer's JSON-RPC endpoint, or the `request` function of an EIP-1193 provider. */
  readonly rpc: string | ((call: { method: string; params: unknown[] }) => Promise<unknown>);
  /** Headers for each request to the endpoint, such as authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the signer may take, for example to ask its owner for approval. Default: `120000`. */
  readonly timeoutMs?: number;
}

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/**
 * Returns a signer whose key is elsewhere: in a wallet, in a signing service, or on a hardware device. It signs with
 * `eth_signTypedData_v4`.
 *
 * @example
 * const signer = createRpcSigner({
 *   address: '0x1111111111111111111111111111111111111111',
 *   rpc: 'http://127.0.0.1:8550',
 * });
 * console.log(signer.address);
 */
export function createRpcSigner(options: RpcSignerOptions): Signer {
  const { address, rpc, headers, timeoutMs = 120_000 } = options;
  return {
    address,
    async signTypedData(typedData) {
      const params = [address, jsonOf(typedData)];
      const asking = { method: 'eth_signTypedData_v4', params };
      const signature = await (typeof rpc === 'string' ? ask(rpc, asking) : rpc(asking));
      if (typeof signature === 'string') return signature;
      throw new Error('The signer returned no signature.');
    },
  };

  async function ask(url: string, asking: object): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...asking }),
      signal: AbortSignal.timeout(timeoutMs),
      // A redirect would show the payment to a server that the payer did not choose.
      redirect: 'error',
    });
    return ((await response.json()) as { result?: unknown }).result;
  }
}

/** Encodes bigints as decimal strings, because JSON has no bigints. */
function jsonOf({ types, ...typedData }: AuthorizationTypedData): string {
  const whole = { types: { EIP712Domain: DOMAIN, ...types }, ...typedData };
  return JSON.stringify(whole, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}
