// The same file for Node and for a page: whoever runs it gives it the server, a key and what may be paid.
import {
  agentNode,
  createClient,
  createMemoryStore,
  createPayer,
  getStatus,
  isAssayError,
} from '@assay/client';
import { createIndexedDbStore } from '@assay/client/browser';
import { privateKeyToAccount } from 'viem/accounts';

export function createProgram({ url, key, allow, store = 'memory', total = 10_000_000 }) {
  const client = createClient({ url });
  const payer = createPayer({
    signer: privateKeyToAccount(key),
    store: store === 'memory' ? createMemoryStore() : createIndexedDbStore(store),
    budget: { perCall: 50_000n, total: BigInt(total) },
    allow,
  });
  return { buy, readAndBuy, spent };

  async function buy(nodeId) {
    try {
      const { answer } = await agentNode(client, payer, { nodeId });
      return answer;
    } catch (error) {
      return { failure: isAssayError(error) ? error.type : String(error) };
    }
  }

  async function readAndBuy(nodeId) {
    const { chains } = await getStatus(client);
    const { answer, payment } = await agentNode(client, payer, { nodeId, amounts: 'bigint' });
    const { spent, payments } = await payer.report();
    return {
      chains,
      id: answer.id,
      paid: String(payment.amount),
      transaction: payment.receipt.transaction,
      spent: String(spent),
      payments: payments.length,
    };
  }

  async function spent() {
    const { spent, reserved, payments } = await payer.report();
    return { spent: String(spent), reserved: String(reserved), payments: payments.length };
  }
}
