import type { ChainClient } from '../../chain/chainClient.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { FlowTrust } from '../../domain/vault/flowTrust.ts';
import { inverseOf, type Ratio, worthOf } from '../../domain/vault/ratio.ts';
import type { VaultKind, VaultOnChain } from '../../vaults/kind.ts';
import { runRounds } from '../../vaults/rounds.ts';

/** Compares what a wrapper holds with the rate, once per read until they agree. */
export async function noteHolding(
  trust: FlowTrust,
  kind: VaultKind,
  vault: VaultOnChain,
  events: readonly VaultEvent[],
  priceAt: (block: number) => Ratio | null | undefined,
  client: ChainClient,
): Promise<void> {
  if (kind.holding === undefined || trust.isRateProven()) return;
  const event = events.findLast(({ place }) => priceAt(place.blockNumber) != null);
  if (event === undefined) return;
  const { blockNumber } = event.place;
  const [read] = await runRounds(client, blockNumber, [kind.holding(vault)]);
  if (read == null) return;
  const price = priceAt(blockNumber)!;
  const { held, shares } = read;
  const [worth, inverse] = [price, inverseOf(price, vault)].map((one) => worthOf(shares, one));
  trust.noteHolding(vault.share, { held, worth: worth!, inverse: inverse! }, event);
}
