// Buys a risk grade in a page, with a wallet that the browser has (EIP-1193), such as an extension.
import { agentNode, createClient, createPayer } from '@assay/client';
import { createIndexedDbStore } from '@assay/client/browser';
import { createRpcSigner } from '@assay/client/signer';

/** `allow` names the recipient, token, network, and host that the page may pay, written down by its author. */
export async function buyGrade({ url, allow, nodeId, provider = window.ethereum }) {
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  const payer = createPayer({
    signer: createRpcSigner({ address, rpc: (call) => provider.request(call) }),
    allow,
    budget: { perCall: 60_000n, total: 1_000_000n },
    // All tabs of the origin share it, and its caps.
    store: createIndexedDbStore(),
  });
  const { data, payment } = await agentNode(createClient({ url }), payer, { nodeId });
  return { data, transaction: payment?.receipt?.transaction };
}
