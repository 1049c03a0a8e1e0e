import type { AuthorizationTypedData, Signer } from '@assay/client';
import { sentence } from '../format/text.ts';

/** A browser wallet (EIP-1193). */
export interface Provider {
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
  on?(event: 'accountsChanged', listener: (accounts: readonly string[]) => void): void;
}

export interface InjectedWallet {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
}

/**
 * Reports wallets as they announce themselves (EIP-6963), which can take a while. Until then, reports
 * `window.ethereum`, if present. Returns a function that stops it.
 */
export function watchWallets(onFound: (wallets: readonly InjectedWallet[]) => void): () => void {
  const found = new Map<string, InjectedWallet>();
  const { ethereum } = globalThis as { ethereum?: Provider };
  if (ethereum !== undefined) {
    onFound([{ id: 'window.ethereum', name: 'Browser wallet', provider: ethereum }]);
  }
  addEventListener('eip6963:announceProvider', onAnnounce);
  dispatchEvent(new Event('eip6963:requestProvider'));
  return () => removeEventListener('eip6963:announceProvider', onAnnounce);

  function onAnnounce(event: Event): void {
    const { info, provider } = (event as CustomEvent).detail ?? {};
    if (typeof provider?.request !== 'function') return;
    const id = String(info?.uuid ?? info?.name);
    found.set(id, { id, name: String(info?.name ?? 'Wallet'), provider });
    onFound([...found.values()]);
  }
}

/** Calls `onLeft` when the wallet switches accounts, because it no longer signs for this one. */
export async function connect({ provider }: InjectedWallet, onLeft: () => void): Promise<Signer> {
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  const address = accounts[0];
  if (address === undefined) throw new Error('The wallet has no account to pay from.');
  provider.on?.('accountsChanged', (now) => {
    if (now[0]?.toLowerCase() !== address.toLowerCase()) onLeft();
  });
  return { address, signTypedData: (data) => sign(provider, address, data) };
}

async function sign(
  provider: Provider,
  address: string,
  { domain, types, primaryType, message }: AuthorizationTypedData,
): Promise<string> {
  await showChain(provider, domain.chainId);
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const data = { domain, primaryType, types: { EIP712Domain, ...types }, message };
  const text = JSON.stringify(data, (_, one: unknown) =>
    typeof one === 'bigint' ? one.toString() : one,
  );
  const params = [address, text];
  return (await provider.request({ method: 'eth_signTypedData_v4', params })) as string;
}

/** Switches the wallet to the payment chain, because wallets sign only for the chain they show. */
async function showChain(provider: Provider, chainId: number): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`;
  const shows = async () => Number(await provider.request({ method: 'eth_chainId' })) === chainId;
  if (await shows()) return;
  await provider.request({
    method: 'wallet_switchEthereumChain',
    params: [{ chainId: wanted }],
  });
  if (!(await shows())) throw new Error(`The wallet did not switch to chain ${chainId}.`);
}

/** Describes a wallet error by its code from EIP-1193 or EIP-3326. */
export function walletErrorMessage(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 4001) return 'You rejected the request in your wallet.';
  if (code === 4902) return 'Your wallet does not have the payment chain. Add it there first.';
  if (code === -32002) return 'Your wallet has a pending request. Open it and respond.';
  return typeof message === 'string' && message !== ''
    ? sentence(message)
    : 'The wallet returned an error without a reason.';
}
