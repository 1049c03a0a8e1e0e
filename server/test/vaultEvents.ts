import type { VaultEvent } from '../src/domain/vault/event.ts';

export type EventBody = VaultEvent extends infer E
  ? E extends VaultEvent
    ? Omit<E, 'place' | 'txHash'>
    : never
  : never;

/** Returns one list of events per transaction, all in one block. */
export function eventsOf(...transactions: readonly (readonly EventBody[])[]): VaultEvent[] {
  let logIndex = 0;
  return transactions.flatMap((bodies, i) =>
    bodies.map((body) => ({
      ...body,
      place: { blockTime: 100, chainId: 1, blockNumber: 10, logIndex: logIndex++ },
      txHash: `0x${i.toString(16).padStart(64, '0')}`,
    })),
  ) as VaultEvent[];
}
