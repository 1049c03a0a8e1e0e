import type { ChainClient, Header } from '../chain/chainClient.ts';
import type { ChainProgress } from '../store/chains/progress.ts';
import type { ChainState } from './chainState.ts';
import type { Step } from './read/step.ts';
import { lastRemembered } from './reorg.ts';

/** The chain as one RPC endpoint reported it at the start of a piece of work. */
export interface ChainHead {
  readonly client: ChainClient;
  readonly head: Header;
  readonly finalized: number;
}

/** Returns the progress after a step is committed. The chain is live when all its sources are at the head. */
export function progressAfter(
  state: ChainState,
  step: Step,
  chainHead: ChainHead,
  atHead: boolean,
  now: number,
): ChainProgress {
  const keys = new Set(step.readers.map((reader) => reader.source.key));
  const blocks = [...state.rows.values()].map((row) =>
    keys.has(row.key) ? step.to.number : row.indexedBlock,
  );
  const live = atHead && blocks.every((block) => block === step.to.number);
  // Once the chain was live, its progress is that of the leading sources, not of a family that was added.
  const front = Math.max(...blocks, lastRemembered(state.follow));
  const counts = !state.backfilled || step.to.number >= front;
  return {
    ...common(state, chainHead, now),
    indexedBlock: counts ? step.to.number : null,
    indexedTime: counts ? step.to.time : null,
    state: live ? 'live' : 'syncing',
    backfilled: live,
  };
}

/** Returns the progress when there was no new block. */
export function progressWithout(
  state: ChainState,
  chainHead: ChainHead,
  as: 'live' | 'syncing',
  now: number,
): ChainProgress {
  const blocks = [...state.rows.values()].map((row) => row.indexedBlock);
  const front = Math.max(...blocks, lastRemembered(state.follow));
  const together = blocks.every((block) => block === front);
  const shown = together ? as : 'syncing';
  return {
    ...common(state, chainHead, now),
    indexedBlock: null,
    indexedTime: null,
    state: shown,
    backfilled: shown === 'live',
  };
}

function common({ broken, readers }: ChainState, { head, finalized }: ChainHead, now: number) {
  const feedErrors = [...readers.values()].flatMap((reader) =>
    reader.kind === 'feed' ? (reader.problem ?? []) : [],
  );
  const problems = [...broken.values(), ...feedErrors];
  return {
    head: head.number,
    headTime: head.time,
    finalized,
    error: problems.length === 0 ? null : problems.join('; '),
    now,
  };
}
