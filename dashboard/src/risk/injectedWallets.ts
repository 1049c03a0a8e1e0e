import type { AuthorizationTypedData, Signer } from '@assay/client';

/** A wallet in the browser, as EIP-1193 has it. */
export interface Provider {
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

export interface InjectedWallet {
  readonly name: string;
  readonly provider: Provider;
}

/** Wallets that announce themselves (EIP-6963), else the one that is simply there. */
export function findWallets(): readonly InjectedWallet[] {
  const found: InjectedWallet[] = [];
  const onAnnounce = (event: Event) => {
    const { info, provider } = (event as CustomEvent).detail ?? {};
    if (provider !== undefined) found.push({ name: String(info?.name ?? 'Wallet'), provider });
  };
  addEventListener('eip6963:announceProvider', onAnnounce);
  dispatchEvent(new Event('eip6963:requestProvider'));
  removeEventListener('eip6963:announceProvider', onAnnounce);
  const { ethereum } = globalThis as { ethereum?: Provider };
  if (found.length === 0 && ethereum !== undefined)
    found.push({ name: 'Browser wallet', provider: ethereum });
  return found;
}

export async function connect({ provider }: InjectedWallet): Promise<Signer> {
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  const address = accounts[0];
  if (address === undefined) throw new Error('the wallet has no account to pay from');
  return { address, signTypedData: (data) => sign(provider, address, data) };
}

async function sign(
  provider: Provider,
  address: string,
  { domain, types, primaryType, message }: AuthorizationTypedData,
): Promise<string> {
  const chainId = `0x${domain.chainId.toString(16)}`;
  // Wallets refuse to sign for another chain than the one they show.
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
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
