import { StateUnavailable } from '../../chain/rpcError.ts';
import { gapRequests } from '../../store/gaps/gapRequests.ts';
import { type Gap, gaps } from '../../store/gaps/gaps.ts';
import { KINDS } from '../../vaults/index.ts';
import type { ChainState } from '../chainState.ts';
import { commitFill } from '../fill.ts';
import { familiesTouchedBy } from '../fold/familiesTouched.ts';
import type { ChainHead } from '../progress.ts';
import type { FamilyReader } from '../read/familyReader.ts';
import type { FollowerDeps } from './followerDeps.ts';
import type { GroupReads } from './groupReads.ts';

/** Fills gaps whose state an RPC endpoint has by now. */
export interface FillWork {
  /** Fills part of a gap. Returns `filled` once all of it is, which makes the readers' state outdated. */
  run(state: ChainState, chainHead: ChainHead): Promise<'none' | 'busy' | 'filled'>;
}

/** How long a gap may be filled before the sources at the head get their turn. */
const SLICE_MS = 1_500;
/** How often gaps are read from the store. */
const LOOK_SECONDS = 10;
/** Wait before a gap without state is tried again; doubles each time. */
const FIRST_REST_SECONDS = 15;
const LONGEST_REST_SECONDS = 600;

export function createFillWork(deps: FollowerDeps, reads: GroupReads): FillWork {
  const { store, leadership, chain, upstreams, mayReadPast } = deps;
  let known: readonly Gap[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let requested = 0;
  const rests = new Map<string, { until: number; seconds: number }>();
  /** Ends of stretched gaps, which are filled once they are final. */
  const tails = new Set<string>();

  return {
    async run(state, chainHead) {
      if (!mayReadPast()) return 'none';
      const gap = await next(state, chainHead);
      if (gap === undefined) return 'none';
      const reader = readerOf(state, gap)!;
      const client = upstreams.deep(chainHead.client);
      try {
        // One call shows whether an RPC endpoint has the state.
        await client.code(reader.vault.share, gap.fromBlock);
      } catch (error) {
        if (!isPruned(error)) throw error;
        rest(gap);
        return 'none';
      }
      return fill(state, await stretched(gap, reader, state), reader, chainHead);
    },
  };

  async function next(state: ChainState, chainHead: ChainHead): Promise<Gap | undefined> {
    const now = deps.now();
    if (now - lookedAt >= LOOK_SECONDS) {
      known = await gaps.getOfChain(store, chain.chainId);
      lookedAt = now;
      const asked = known.length === 0 ? null : await gapRequests.findNewest(store, chain.chainId);
      // A new request by the operator skips the waits.
      if (asked !== null && asked > requested) rests.clear();
      requested = asked ?? requested;
    }
    return known.find(
      (gap) =>
        gap.reason === 'state' &&
        (tails.has(tailOf(gap)) ? gap.toBlock : gap.fromBlock) <= chainHead.finalized &&
        readerOf(state, gap) !== undefined &&
        (rests.get(keyOf(gap))?.until ?? 0) <= now,
    );
  }

  /**
   * Extends the gap to the checkpoint for kinds whose queue amounts carry over from block to block: rows after the gap
   * depend on the blocks in it. Later rows do not, because the readers start again from the filled ones.
   */
  async function stretched(gap: Gap, reader: FamilyReader, state: ChainState): Promise<Gap> {
    const { queue } = KINDS[reader.source.family.adapter];
    const isKept = queue === 'calls' || queue === 'requests';
    const { indexedBlock, indexedTime } = state.rows.get(reader.source.key)!;
    if (!isKept || tails.has(tailOf(gap)) || gap.toBlock >= indexedBlock) return gap;
    const longer = { ...gap, toBlock: indexedBlock, toTime: indexedTime };
    await leadership.transaction((tx) => gaps.add(tx, longer));
    return longer;
  }

  async function fill(
    state: ChainState,
    gap: Gap,
    reader: FamilyReader,
    chainHead: ChainHead,
  ): Promise<'busy' | 'filled'> {
    const touched = familiesTouchedBy(chain.chainId, deps, new Set([reader.source.key]));
    const family = touched.find(({ familyId }) => familyId === gap.familyId)!;
    const toBlock = Math.min(gap.toBlock, chainHead.finalized);
    const deadline = performance.now() + SLICE_MS;
    const enough = () => performance.now() > deadline || !mayReadPast();
    const again = await reader.reopen(store, gap.fromBlock - 1);
    let left = gap;
    lookedAt = Number.NEGATIVE_INFINITY;
    for await (const step of reads.again(chainHead.client, again, { gap, toBlock, enough })) {
      const [rows] = step.families;
      if (rows!.isPruned) {
        rest(left);
        return 'busy';
      }
      const done = left;
      await leadership.transaction((tx) =>
        commitFill(tx, { gap: done, step, rows: rows!, family }),
      );
      // Movements that were not known before may wait for the next step.
      state.settled.delete(gap.familyId);
      left = { ...left, fromBlock: step.to.number + 1, fromTime: step.to.time };
    }
    if (left.fromBlock <= toBlock) return 'busy';
    rests.delete(keyOf(gap));
    tails.delete(tailOf(gap));
    if (left.fromBlock <= gap.toBlock) tails.add(tailOf(gap));
    deps.onFilled(gap);
    return 'filled';
  }

  function rest(gap: Gap): void {
    const before = rests.get(keyOf(gap))?.seconds ?? FIRST_REST_SECONDS / 2;
    const seconds = Math.min(LONGEST_REST_SECONDS, before * 2);
    rests.set(keyOf(gap), { until: deps.now() + seconds, seconds });
  }
}

function readerOf(state: ChainState, gap: Gap): FamilyReader | undefined {
  for (const reader of state.readers.values()) {
    if (reader.kind === 'family' && reader.familyId === gap.familyId) return reader;
  }
  return undefined;
}

function keyOf(gap: Gap): string {
  return `${gap.familyId} ${gap.fromBlock} ${gap.foundAt}`;
}

/** Stays the same while a gap is filled from its front. */
function tailOf({ familyId, toBlock }: Gap): string {
  return `${familyId} ${toBlock}`;
}

function isPruned(error: unknown): boolean {
  return error instanceof StateUnavailable && error.reason === 'pruned';
}
