import type { Address } from '../../domain/hex.ts';
import type { Nodes } from '../chain/nodes.ts';
import { createArrival } from './arrival.ts';
import { broadcast } from './broadcast.ts';
import type { BroadcastAnswer } from './broadcastAnswer.ts';
import type { FeeSource } from './fees.ts';
import type { NextNonce } from './nextNonce.ts';
import { readCount } from './nonceCount.ts';
import { type Item, newest, type Slot, type Slots } from './slots.ts';

/** Broadcasts the newest transactions of slots, and handles what RPC endpoints answer. */
export interface Dispatch {
  send(slots: readonly Slot[]): Promise<void>;
}

const TRIES = 10;
/** Delay before requesting a receipt that did not come with the response. */
const SOON_MS = 20;

export function createDispatch(deps: {
  readonly nodes: Nodes;
  readonly address: Address;
  readonly slots: Slots;
  readonly fees: FeeSource;
  readonly nonces: Pick<NextNonce, 'lose'>;
  readonly isClosed: () => boolean;
  /** The RPC endpoint rejected it because earlier nonces are missing there. */
  readonly onEarly: (slot: Slot) => void;
  /** Called after each broadcast, with the items that need another nonce. */
  readonly onRetry: (items: readonly Item[]) => void;
  readonly onOutOfGas: () => void;
}): Dispatch {
  const { nodes, address, slots, fees, nonces, isClosed, onEarly, onRetry, onOutOfGas } = deps;
  const arrival = createArrival();
  return { send };

  async function send(sent: readonly Slot[]): Promise<void> {
    const signed = sent.map(newest);
    const withReceipts = arrival.shouldRequest();
    const response = await broadcast(
      nodes,
      signed.map(({ raw }) => raw),
      withReceipts ? signed.map(({ hash }) => hash) : [],
    );
    if (isClosed()) return;
    if (withReceipts && response !== null) arrival.record(response.receipts.length > 0);
    const refused: [Slot, BroadcastAnswer][] = [];
    for (const [i, slot] of sent.entries()) {
      slot.sentAt = performance.now();
      const receipt = response?.receipts.find(({ transaction }) => transaction === signed[i]!.hash);
      // Without a response it may have been accepted: wait for it, and resend the same bytes.
      const answer = response === null ? 'accepted' : response.answers[i]!;
      const sure = response !== null && !response.doubtful && !slot.taken;
      if (receipt !== undefined) slots.mine(slot, receipt);
      else if (answer === 'nonce_ahead' && sure && !slot.early) onEarly(slot);
      else if (answer === 'accepted' || answer === 'nonce_ahead' || !sure) {
        slots.watch(slot, withReceipts ? SOON_MS : 0);
      } else refused.push([slot, answer]);
    }
    const retries: Item[] = [];
    for (const [slot, answer] of refused) await handleRejection(slot, answer, retries);
    onRetry(retries);
  }

  async function handleRejection(
    slot: Slot,
    answer: BroadcastAnswer,
    retries: Item[],
  ): Promise<void> {
    if (answer === 'nonce_used' || answer === 'underpriced')
      await retryRejected(slot, answer, retries);
    else refuse(slot, answer);
  }

  /** Its nonce was used by another sender, or its fee is too low for this RPC endpoint; no endpoint has it. */
  async function retryRejected(
    slot: Slot,
    answer: BroadcastAnswer,
    retries: Item[],
  ): Promise<void> {
    nonces.lose();
    fees.forget();
    const { item } = slot;
    const free = await readCount(nodes, address, 'pending').catch(() => null);
    if (item !== null && ++item.tries > TRIES) return refuse(slot, 'refused');
    if (answer === 'nonce_used' || (free !== null && free > slot.nonce)) {
      drop(slot);
      if (item !== null) retries.push(item);
      return;
    }
    if (!(await slots.raise(slot))) return refuse(slot, 'refused');
    await send([slot]);
  }

  function refuse(slot: Slot, answer: BroadcastAnswer): void {
    drop(slot);
    if (answer === 'no_funds') onOutOfGas();
    const code = answer === 'no_funds' ? 'facilitator_out_of_gas' : 'facilitator_unavailable';
    slot.item?.settle({ outcome: 'refused', code });
  }

  function drop(slot: Slot): void {
    slots.drop(slot);
    nonces.lose();
  }
}
