import type { EventsConfig } from '../config/config.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { eventNotes } from '../store/events/notes.ts';
import { sources } from '../store/sources/sources.ts';
import type { Leadership } from '../store/store.ts';
import { foldWaiting } from './commit.ts';
import { familiesTouchedBy } from './fold/familiesTouched.ts';
import type { Registered } from './register.ts';

export interface UnreachableDeps {
  readonly chain: { readonly chainId: number };
  readonly registered: readonly Registered[];
  readonly allRegistered: readonly Registered[];
  readonly maxPriceAge: number;
  readonly events?: EventsConfig | undefined;
  readonly now: () => number;
  /** The chain cannot be read now; `text` is safe to show. */
  readonly onUnreachable: (text: string) => void;
}

/** Marks a chain as unreachable, so that no family waits for it. Its rows stay unchanged. */
export async function markUnreachable(
  deps: UnreachableDeps,
  leadership: Leadership,
  text: string,
): Promise<void> {
  const { chainId } = deps.chain;
  deps.onUnreachable(text);
  const keys = deps.registered.map(({ source }) => source.key);
  await leadership.transaction(async (tx) => {
    await chainProgress.unreachable(tx, chainId, text, deps.now());
    await sources.setReadable(tx, chainId, keys, false);
    await foldWaiting(tx, familiesTouchedBy(chainId, deps));
    await eventNotes.states(tx, chainId, deps.now());
  });
}

/** Like markUnreachable, for some sources of a chain while the others are still being read. */
export async function stopWaitingFor(
  deps: UnreachableDeps,
  leadership: Leadership,
  keys: readonly string[],
): Promise<void> {
  const { chainId } = deps.chain;
  await leadership.transaction(async (tx) => {
    await sources.setReadable(tx, chainId, keys, false);
    await foldWaiting(tx, familiesTouchedBy(chainId, deps, new Set(keys)));
    await eventNotes.states(tx, chainId, deps.now());
  });
}
