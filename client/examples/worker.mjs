// A worker that sells nothing and buys grades for its visitors within one budget. Made for Cloudflare: a Durable Object
// is the one place that holds the spend, because a worker's memory is neither shared nor kept.
import { agentNode, createClient, createPayer, isAssayError } from '@assay/client';
import { createRpcSigner } from '@assay/client/signer';

/** Stores the spend in the storage of a Durable Object, whose transactions run one after the other. */
function createDurableStore(storage) {
  return {
    transact: (change) =>
      storage.transaction(async (transaction) => {
        const { result, book, record } = change(await transaction.get('book'));
        if (book) await transaction.put('book', book);
        if (record) await transaction.put(`record ${record.id}`, record);
        return result;
      }),
    async getRecords() {
      const records = [...(await storage.list({ prefix: 'record ' })).values()];
      return records.sort((a, b) => a.at - b.at);
    },
  };
}

/** Bound as BUYER. The other bindings: API_URL, ALLOW (JSON), SIGNER_URL, SIGNER_ADDRESS. */
export class Buyer {
  #client;
  #payer;

  constructor(state, env) {
    this.#client = createClient({ url: env.API_URL });
    this.#payer = createPayer({
      signer: createRpcSigner({ address: env.SIGNER_ADDRESS, rpc: env.SIGNER_URL }),
      allow: JSON.parse(env.ALLOW),
      budget: {
        perCall: 60_000n,
        perPeriod: { amount: 500_000n, seconds: 86_400 },
        total: 10_000_000n,
      },
      store: createDurableStore(state.storage),
    });
  }

  async fetch(request) {
    const nodeId = new URL(request.url).searchParams.get('node') ?? 'chain:base';
    try {
      const { data } = await agentNode(this.#client, this.#payer, { nodeId });
      return Response.json(data);
    } catch (error) {
      if (!isAssayError(error)) throw error;
      return Response.json({ failure: error.type }, { status: 502 });
    }
  }
}

export default {
  fetch(request, env) {
    return env.BUYER.get(env.BUYER.idFromName('spend')).fetch(request);
  },
};
