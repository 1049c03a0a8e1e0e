import type { Address, Hex } from '../../domain/hex.ts';
import { addressOf } from '../authorization/curve.ts';
import { type Nodes, NodesUnavailable } from '../chain/nodes.ts';
import { createDispatch } from './dispatch.ts';
import { type FeeSource, type Fees, FeesAboveCap } from './fees.ts';
import { createLateSlots } from './lateSlots.ts';
import { createNextNonce } from './nextNonce.ts';
import type { ReceiptPoll } from './receiptPoll.ts';
import { createSendOrder } from './sendOrder.ts';
import { createSendQueue } from './sendQueue.ts';
import { createSlots, type Item, type Slot } from './slots.ts';
import type { SendRefusal, Sent, Transaction } from './transaction.ts';

/** One key that sends transactions in the order of their nonces, without waiting for each to be mined. */
export interface Sender {
  readonly address: Address;
  /** How many transactions wait to be sent or mined. */
  busy(): number;
  /** Whether its last transaction was rejected because the gas balance was too low. */
  outOfGas(): boolean;
  /** Records whether the gas balance suffices. */
  onFunded(): void;
  markOutOfGas(): void;
  send(transaction: Transaction): Promise<Sent>;
  close(): void;
}

export interface SenderOptions {
  readonly privateKey: Hex;
  readonly chainId: number;
  readonly nodes: Nodes;
  readonly receipts: ReceiptPoll;
  readonly fees: FeeSource;
  /** Wei per gas; also for replacements. */
  readonly feeCap: bigint;
  /** Delay before an unmined transaction is sent again with a higher fee. */
  readonly bumpAfterMs: number;
  /** How often to check for a reorg that removed mined transactions. */
  readonly reorgCheckMs: number;
  /** How long a caller waits; the transaction itself is handled until its nonce is used. */
  readonly timeoutMs: number;
}

export function createSender(options: SenderOptions): Sender {
  const { nodes, fees } = options;
  const address = addressOf(options.privateKey);
  const slots = createSlots({ ...options, address });
  const nonces = createNextNonce({ nodes, address, slots });
  const queue = createSendQueue({ timeoutMs: options.timeoutMs, onChange: () => void drain() });
  const order = createSendOrder();
  const dispatch = createDispatch({
    ...{ nodes, address, slots, fees, nonces },
    isClosed: () => closed,
    onEarly: order.addEarly,
    onRetry: queue.putBack,
    onOutOfGas: () => {
      isOutOfGas = true;
    },
  });
  const late = createLateSlots({
    ...options,
    address,
    slots,
    send: (slot) => dispatch.send([slot]),
    passedBy: ({ item }) => {
      nonces.lose();
      if (item !== null) queue.putBack([item]);
    },
  });
  let inFlight = 0;
  let draining = false;
  let isOutOfGas = false;
  let closed = false;

  return {
    address,
    busy: () => queue.size() + slots.size(),
    outOfGas: () => isOutOfGas,
    onFunded: () => {
      isOutOfGas = false;
    },
    markOutOfGas: () => {
      isOutOfGas = true;
    },
    send: queue.add,
    close,
  };

  /** The only place that assigns new nonces. */
  async function drain(): Promise<void> {
    if (draining) return;
    draining = true;
    try {
      // Transactions that arrive in one event-loop turn go out in one request.
      await Promise.resolve();
      while (!closed && (order.hasEarly() || queue.size() > 0)) {
        if (inFlight >= (order.hasEarly() ? 1 : order.pace().requests)) return;
        if (order.hasEarly()) launch(order.takeEarly());
        else await sendSome();
      }
    } finally {
      draining = false;
    }
  }

  async function sendSome(): Promise<void> {
    const before = nonces.losses();
    const prepared = await prepare();
    // The next nonce became unknown meanwhile: read it again.
    if (nonces.losses() !== before) return;
    const items = queue.take(order.pace().together);
    if (typeof prepared === 'string') {
      for (const item of items) item.settle({ outcome: 'refused', code: prepared });
      return;
    }
    const first = prepared.nonce;
    nonces.set(first + items.length);
    const feesOf = ({ transaction }: Item) => transaction.fees ?? prepared.fees;
    launch(items.map((item, i) => slots.open(first + i, item, feesOf(item))));
  }

  async function prepare(): Promise<{ fees: Fees; nonce: number } | SendRefusal> {
    try {
      const prepared = { fees: await fees.current(), nonce: await nonces.find() };
      return closed ? 'facilitator_unavailable' : prepared;
    } catch (error) {
      if (error instanceof FeesAboveCap) return 'network_fees_too_high';
      if (error instanceof NodesUnavailable) return 'facilitator_unavailable';
      throw error;
    }
  }

  /** Does not wait for the response: the next transactions are signed and sent meanwhile. */
  function launch(sent: readonly Slot[]): void {
    inFlight += 1;
    void dispatch.send(sent).finally(() => {
      inFlight -= 1;
      closeGap(sent);
      void drain();
    });
  }

  /** A rejected transaction must not keep the later ones from being mined. */
  function closeGap(sent: readonly Slot[]): void {
    const gap = sent.find(({ dropped }) => dropped);
    if (gap !== undefined && slots.end() > gap.nonce) late.check();
  }

  function close(): void {
    closed = true;
    late.close();
    queue.close();
    slots.close();
  }
}
