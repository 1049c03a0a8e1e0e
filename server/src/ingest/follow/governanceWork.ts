import { RpcError } from '../../chain/rpcError.ts';
import type { GovernanceChange } from '../../domain/governance/change.ts';
import { events } from '../../store/events/events.ts';
import { families } from '../../store/families/families.ts';
import { governance } from '../../store/governance/governance.ts';
import { governanceReads, type MissingGovernance } from '../../store/governance/governanceReads.ts';
import type { ChainState } from '../chainState.ts';
import type { ChainHead } from '../progress.ts';
import type { FamilyReader } from '../read/familyReader.ts';
import { blockTimes, type LogBatch } from '../read/logRanges.ts';
import type { FollowerDeps } from './followerDeps.ts';
import type { GroupReads } from './groupReads.ts';

/** Reads governance events of blocks that an older version indexed, or that precede the watch on a contract. */
export interface GovernanceWork {
  /** Reads for a moment. Returns false if there is nothing to read, or nothing can be read now. */
  run(state: ChainState, chainHead: ChainHead): Promise<boolean>;
}

type Missing = MissingGovernance & { readonly reader: FamilyReader };

/** Blocks that several families miss, read with one filter. */
interface Stretch {
  readonly members: readonly Missing[];
  readonly from: number;
  readonly to: number;
}

/** How long it may read before the sources at the head get their turn. */
const SLICE_MS = 1_500;
/** Maximum logs per commit. */
const MAX_LOGS = 2_000;
const FIRST_REST_SECONDS = 15;
const MAX_REST_SECONDS = 600;

export function createGovernanceWork(deps: FollowerDeps, reads: GroupReads): GovernanceWork {
  const { store, leadership, chain, mayReadPast } = deps;
  const { chainId } = chain;
  let known: { readonly state: ChainState; readonly missing: readonly Missing[] } | undefined;
  let rest = { until: 0, seconds: 0 };

  return {
    async run(state, chainHead) {
      if (!mayReadPast() || deps.now() < rest.until) return false;
      if (known?.state !== state) known = { state, missing: await findMissing(state) };
      const stretch = firstStretch(known.missing, chainHead.finalized);
      if (stretch === undefined) return false;
      known = undefined;
      try {
        await read(stretch, chainHead);
        rest = { until: 0, seconds: 0 };
        return true;
      } catch (error) {
        // Current blocks are still read: unavailable old logs are not a failure of the chain.
        if (!(error instanceof RpcError)) throw error;
        const seconds = Math.min(MAX_REST_SECONDS, rest.seconds * 2 || FIRST_REST_SECONDS);
        rest = { until: deps.now() + seconds, seconds };
        return false;
      }
    },
  };

  async function findMissing(state: ChainState): Promise<readonly Missing[]> {
    const missing = await governanceReads.getMissing(store, chainId);
    return missing.flatMap((one) => {
      const reader = state.readers.get(one.key);
      return reader?.kind === 'family' ? [{ ...one, reader }] : [];
    });
  }

  async function read({ members, from, to }: Stretch, { client }: ChainHead): Promise<void> {
    const readers = members.map(({ reader }) => reader.governance);
    const filter = {
      addresses: [...new Set(readers.flatMap(({ addresses }) => addresses))],
      topics: [[...new Set(readers.flatMap(({ topics }) => topics))]],
    };
    const deadline = performance.now() + SLICE_MS;
    let batches: LogBatch[] = [];
    for await (const batch of reads.logs(client, filter, { fromBlock: from, toBlock: to })) {
      batches.push(batch);
      const logs = batches.reduce((sum, one) => sum + one.logs.length, 0);
      if (performance.now() > deadline || logs >= MAX_LOGS || !mayReadPast()) break;
    }
    const logs = batches.flatMap((batch) => batch.logs);
    const times = await blockTimes(client, logs);
    const last = batches.at(-1)!.toBlock;
    batches = [];
    const found = members.map((member) => {
      const addresses = new Set(member.reader.governance.addresses);
      const changes = logs.flatMap((log) => {
        if (!addresses.has(log.address)) return [];
        const { blockNumber, logIndex } = log;
        const place = { blockTime: times.get(blockNumber)!, chainId, blockNumber, logIndex };
        return member.reader.governance.read(log, place) ?? [];
      });
      return { member, changes };
    });
    await leadership.transaction(async (tx) => {
      let added = 0;
      const ids: number[] = [];
      for (const { member, changes } of found) {
        added += await commit(member, changes);
        if (changes.length > 0 || last >= member.to) ids.push(member.familyId);
      }
      if (ids.length > 0) await families.notify(tx, ids);
      if (added > 0) await events.addLate(tx, chainId);

      async function commit({ key, familyId }: Missing, changes: readonly GovernanceChange[]) {
        const isWanted = await governanceReads.advance(tx, chainId, key, { from, to: last });
        if (!isWanted) return 0;
        return governance.insert(tx, familyId, chainId, changes, { late: true });
      }
    });
  }
}

/** Returns the lowest missing blocks with all families that miss them, so that one pass reads for all. */
function firstStretch(missing: readonly Missing[], finalized: number): Stretch | undefined {
  const from = Math.min(...missing.map((one) => one.from));
  const members = missing.filter((one) => one.from === from);
  const others = missing.filter((one) => one.from > from);
  const ends = [finalized, ...members.map((one) => one.to), ...others.map((one) => one.from - 1)];
  const to = Math.min(...ends);
  return from <= to ? { members, from, to } : undefined;
}
