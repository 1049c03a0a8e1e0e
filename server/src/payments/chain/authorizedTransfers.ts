import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { readLogPages } from './logPages.ts';
import { type Nodes, NodesUnavailable, readQuantity, readResult } from './nodes.ts';
import { addressTopic, findTransfer, parseReceipt, TRANSFER_TOPIC, USED_TOPIC } from './receipt.ts';

/** An authorization used in a transaction that also paid `payTo`. */
export interface Use {
  readonly payer: Address;
  readonly nonce: Hex;
  readonly transaction: Hex;
  readonly blockNumber: number;
}

/** Reads transfers to `payTo` made with authorizations; plain transfers are ignored. Throws NodesUnavailable. */
export interface AuthorizedTransfers {
  /** Yields pages, oldest block first. */
  getUses(range: {
    readonly fromBlock: number;
    readonly toBlock: number;
    readonly width: number;
  }): AsyncGenerator<{
    readonly fromBlock: number;
    readonly toBlock: number;
    readonly uses: readonly Use[];
  }>;
  /** Returns the amount that each authorization moved to `payTo`; null if it paid another address. */
  getValues(uses: readonly Use[]): Promise<readonly (bigint | null)[]>;
}

/** Payers per filter: RPC endpoints limit its size. */
const PAYERS_TOGETHER = 100;
const RECEIPTS_TOGETHER = 50;

export function createAuthorizedTransfers(options: {
  readonly nodes: Nodes;
  readonly terms: Pick<PaymentTerms, 'asset' | 'payTo'>;
}): AuthorizedTransfers {
  const { nodes } = options;
  const asset = lower(options.terms.asset);
  const payTo = lower(options.terms.payTo);
  return { getUses, getValues };

  async function* getUses(range: Parameters<AuthorizedTransfers['getUses']>[0]) {
    const paid = { address: asset, topics: [TRANSFER_TOPIC, null, addressTopic(payTo)] };
    for await (const { fromBlock, toBlock, logs } of readLogPages(nodes, paid, range)) {
      const transfers = logs.map(parseLog);
      const paying = new Set(transfers.map(({ transaction }) => transaction));
      const payers = [...new Set(transfers.map(({ topics }) => topics[1]!))];
      const uses: Use[] = [];
      for (let at = 0; at < payers.length; at += PAYERS_TOGETHER) {
        const some = payers.slice(at, at + PAYERS_TOGETHER);
        const used = { address: asset, topics: [USED_TOPIC, some] };
        for await (const page of readLogPages(nodes, used, { fromBlock, toBlock })) {
          uses.push(...page.logs.map(toUse).filter(({ transaction }) => paying.has(transaction)));
        }
      }
      yield { fromBlock, toBlock, uses };
    }
  }

  async function getValues(uses: readonly Use[]): Promise<readonly (bigint | null)[]> {
    const values: (bigint | null)[] = [];
    for (let at = 0; at < uses.length; at += RECEIPTS_TOGETHER) {
      const some = uses.slice(at, at + RECEIPTS_TOGETHER);
      const answers = await nodes.request(
        some.map(({ transaction }) => ({
          method: 'eth_getTransactionReceipt',
          params: [transaction],
        })),
      );
      values.push(...some.map((use, i) => paidBy(use, readResult(answers[i]))));
    }
    return values;
  }

  function paidBy({ payer, nonce, blockNumber }: Use, raw: unknown): bigint | null {
    const receipt = parseReceipt(raw);
    // The log was there, so an RPC endpoint without the receipt is behind.
    if (receipt === null || receipt.blockNumber !== blockNumber) throw new NodesUnavailable();
    const transfer = findTransfer(receipt, asset, { from: payer, nonce });
    return transfer !== null && transfer.to === payTo && transfer.value > 0n
      ? transfer.value
      : null;
  }
}

interface Log {
  readonly topics: readonly Hex[];
  readonly transaction: Hex;
  readonly blockNumber: number;
}

function toUse(raw: unknown): Use {
  const { topics, transaction, blockNumber } = parseLog(raw);
  return { payer: `0x${topics[1]!.slice(26)}`, nonce: topics[2]!, transaction, blockNumber };
}

/** Both events have at least three topics. */
function parseLog(raw: unknown): Log {
  const { topics, transactionHash, blockNumber } = (raw ?? {}) as Record<string, unknown>;
  const isWord = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
  if (!Array.isArray(topics) || topics.length < 3) throw new NodesUnavailable();
  if (![transactionHash, ...topics].every(isWord)) throw new NodesUnavailable();
  return {
    topics: topics.map((topic) => lower(String(topic))),
    transaction: lower(String(transactionHash)),
    blockNumber: Number(readQuantity(blockNumber)),
  };
}
