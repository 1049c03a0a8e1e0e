import type { ChainClient, Header } from '../chain/chainClient.ts';
import { type LogRange, startLogRange } from '../chain/logRange.ts';
import { RpcError } from '../chain/rpcError.ts';
import type { Upstreams } from '../chain/upstreams.ts';
import type { ChainConfig, TicksConfig } from '../config/config.ts';
import { HOUR } from '../domain/time.ts';
import { chains } from '../store/chains/chains.ts';
import { type ChainProgress, chainProgress } from '../store/chains/progress.ts';
import type { Leadership, Store } from '../store/store.ts';
import { type ChainState, loadChainState } from './chainState.ts';
import { type Commit, commitStep, type MadeTicks } from './commit.ts';
import { familiesTouchedBy } from './fold/familiesTouched.ts';
import { type Group, groupByBlock } from './groups.ts';
import { type Look, progressAfter, progressWithout } from './progress.ts';
import { type BackfillOptions, readSteps } from './read/backfill.ts';
import { finalizedNumber } from './read/finality.ts';
import { instantsToRead } from './read/instants.ts';
import { BlockGone } from './read/logRanges.ts';
import { readRecent } from './read/recent.ts';
import type { Step } from './read/step.ts';
import type { Registered } from './register.ts';
import { type FollowEffect, follow, HistoryChanged, remember } from './reorg.ts';
import { rollBack } from './rollback.ts';
import { createStandstill, type Standstill, standstillText } from './standstill.ts';
import { holdNobodyBack, markUnreachable } from './unreachable.ts';

export interface FollowerDeps {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly upstreams: Upstreams;
  readonly chain: ChainConfig;
  readonly ticks: TicksConfig;
  readonly maxPriceAge: number;
  readonly registered: readonly Registered[];
  /** Every family of the configuration: who is priced from where. */
  readonly allRegistered: readonly Registered[];
  readonly now: () => number;
  readonly onStep: (step: Step, progress: ChainProgress, made: MadeTicks) => void;
  readonly onReorg: (to: number, from: number) => void;
  /** The chain cannot be read now; `text` is safe to show. */
  readonly onTrouble: (text: string) => void;
}

/** Works off one chain while this process leads it. */
export interface Follower {
  /** Does the next piece of work; `idle` when there was none. Throws on any doubt, having committed nothing. */
  advance(): Promise<'busy' | 'idle'>;
}

/** How long a family that joins late may work before the others are looked after again. */
const LAGGARD_SLICE_MS = 1_500;
/** How often sources that cannot be read are tried again. */
const RETRY_BROKEN_SECONDS = 60;
/** Recent blocks are read in stretches of at most this many. */
const RECENT_BLOCKS = 2_000;
/** A chain without news is written of this often all the same: who reads it sees that somebody looks. */
const REPORT_SECONDS = 60;

export function createFollower(deps: FollowerDeps): Follower {
  const { store, leadership, upstreams, chain } = deps;
  const { chainId } = chain;
  const range: { current: LogRange } = { current: startLogRange(chain.logRange) };
  let state: ChainState | undefined;
  let loadedAt = 0;
  let written = { text: '', at: 0 };
  let standstill: Standstill | undefined;
  /** The head at which the chain was given up for standing still, and what of it. */
  let stood = '';
  let finality = { head: '', number: 0 };

  return {
    async advance() {
      const { client, head } = await upstreams.pick();
      try {
        const done = await work(client, head);
        upstreams.worked(client);
        return done;
      } catch (error) {
        state = undefined;
        stood = '';
        if (error instanceof RpcError) upstreams.failed(client, error);
        throw error;
      }
    },
  };

  async function work(client: ChainClient, head: Header): Promise<'busy' | 'idle'> {
    const now = deps.now();
    // A vault that was not there yet, or a node that was behind its first block, may be well by now.
    if (state !== undefined && state.broken.size > 0 && now - loadedAt >= RETRY_BROKEN_SECONDS) {
      state = undefined;
    }
    if (state === undefined) loadedAt = now;
    const [loaded, finalized] = await Promise.all([
      state ?? load(client, head, now),
      finalizedAt(client, head),
    ]);
    state = loaded;
    const look = { client, head, finalized };
    const groups = groupByBlock([...state.rows.values()]);
    if (groups.length === 0) return report(look, 'live');
    // Once blocks are remembered, only a look at them tells whether the newest checkpoint still stands.
    const unproven = groups.length === 1 && state.follow.blocks.length > 0;
    if (!state.backfilled && !unproven && groups[0]!.block < finalized) {
      return backfill(look, groups[0]!);
    }
    const done = await followHead(look, groups.at(-1)!);
    const behind = findLaggard(head);
    if (behind === undefined) return done;
    if (behind.block < finalized) {
      return backfill(look, behind, performance.now() + LAGGARD_SLICE_MS);
    }
    // A node that has not come as far as the next group cannot bring this one there.
    return behind.meets! <= head.number ? join(look, behind) : done;
  }

  async function load(client: ChainClient, head: Header, now: number): Promise<ChainState> {
    const genesis = await upstreams.genesisHash();
    if (standstill === undefined) {
      const row = (await chains.getAll(store)).find((one) => one.chainId === chainId);
      const lastError = row?.error ?? null;
      standstill = createStandstill({ pollSeconds: chain.pollSeconds, lastError });
    }
    return loadChainState({ ...deps, chainId, client, head, genesis, now });
  }

  /** Asked once per head: between two pieces of work on one head it need not be asked again. */
  async function finalizedAt(client: ChainClient, head: Header): Promise<number> {
    if (finality.head !== head.hash) {
      finality = { head: head.hash, number: await finalizedNumber(client, chain.finality, head) };
    }
    return finality.number;
  }

  /** The group furthest behind one that has come to the head: before that, nobody waits for it. */
  function findLaggard(head: Header): Group | undefined {
    if (state === undefined) return undefined;
    const groups = groupByBlock([...state.rows.values()]);
    return groups.length > 1 && groups.at(-1)!.block >= head.number ? groups[0] : undefined;
  }

  /** Below finality: as far as the group may go, or until its time is up. */
  async function backfill(
    look: Look,
    group: Group,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<'busy'> {
    const toBlock = Math.min(look.finalized, group.meets ?? look.finalized);
    const isLead = group.meets === null;
    const options = await backfillOptions(look.client, group, toBlock);
    const enough = () => performance.now() > deadline;
    for await (const step of readSteps({ ...options, enough })) {
      const remembers = isLead && state!.follow.blocks.length > 0;
      const ring = remembers ? { added: [step.to], keepFrom: step.to.number } : null;
      await commit(step, ring, look, false);
      if (ring !== null) state!.follow = { blocks: [step.to], checking: null };
    }
    return 'busy';
  }

  async function backfillOptions(
    client: ChainClient,
    group: Group,
    toBlock: number,
  ): Promise<BackfillOptions> {
    const [after, to] = await Promise.all([
      headerOf(client, group.block),
      headerOf(client, toBlock),
    ]);
    return {
      client,
      db: store,
      chainId,
      readers: group.keys.map((key) => state!.readers.get(key)!),
      after,
      to,
      concurrency: chain.concurrency,
      range,
      tickSeconds: tickSecondsOf(group),
      notBefore: startOf(group),
    };
  }

  /** A chain that was live keeps its rhythm when it catches up: no coarser stretch in the series. */
  function tickSecondsOf(group: Group): number {
    const live = state!.backfilled && group.meets === null;
    return live ? deps.ticks.liveSeconds : deps.ticks.backfillSeconds;
  }

  function instantsBetween(
    before: { readonly time: number },
    to: { readonly time: number },
    group: Group,
  ): Promise<number[]> {
    const readers = group.keys.map((key) => state!.readers.get(key)!);
    const [after, until] = [before.time - 1, to.time - 1];
    const tickSeconds = tickSecondsOf(group);
    const newestOf = deps.ticks.liveSeconds;
    const notBefore = startOf(group);
    return instantsToRead(store, readers, { after, until, tickSeconds, newestOf, notBefore });
  }

  /** When the first of the group began. The block before may be a genesis block, whose time can be 0. */
  function startOf(group: Group): number {
    return Math.min(...group.keys.map((key) => state!.rows.get(key)!.startTime ?? 0));
  }

  /** Above finality, where blocks may still be taken back. */
  async function followHead(look: Look, lead: Group): Promise<'busy' | 'idle'> {
    const effect = await decide(look.client, look.head);
    switch (effect.type) {
      case 'idle':
        return rest(look, 'live');
      case 'behind':
        // The node is well but has not come this far: wait, and say so.
        return rest(look, 'syncing', behindText(look.client, lead.block));
      case 'rollback':
        await takeBack(effect.to, lead.block);
        return 'busy';
      case 'refuse':
        throw new HistoryChanged(effect.lowest);
      case 'advance':
        if (lead.block < look.finalized - RECENT_BLOCKS) return backfill(look, lead);
        return advanceTo(look, lead);
      case 'compare':
        throw new Error('a comparison was left undone');
    }
  }

  async function decide(client: ChainClient, head: Header): Promise<FollowEffect> {
    let [next, effect] = follow(state!.follow, { type: 'head', head });
    while (effect.type === 'compare') {
      const headers = await client.headers(effect.numbers);
      [next, effect] = follow(next, { type: 'headers', headers });
    }
    // A rollback is real only once it is committed.
    if (effect.type !== 'rollback') state!.follow = next;
    return effect;
  }

  async function advanceTo(look: Look, lead: Group): Promise<'busy'> {
    const { client, head, finalized } = look;
    const last = state!.follow.blocks.at(-1);
    const to =
      head.number - lead.block > RECENT_BLOCKS
        ? await headerOf(client, lead.block + RECENT_BLOCKS)
        : head;
    const before = last?.number === lead.block ? last : await headerOf(client, lead.block);
    const readers = lead.keys.map((key) => state!.readers.get(key)!);
    const recent = await readRecent({
      client,
      chainId,
      readers,
      before,
      to,
      range,
      concurrency: chain.concurrency,
      instants: await instantsBetween(before, to, lead),
      fullFrom: to.time - HOUR,
    });
    const added = last === undefined ? [before, ...recent.headers] : recent.headers;
    const blocks = remember(state!.follow.blocks, added, finalized);
    const ring = { added, keepFrom: blocks[0]!.number };
    await commit(recent.step, ring, look, to.number === head.number);
    state!.follow = { blocks, checking: null };
    return 'busy';
  }

  /** Brings a group that has reached finality to where the next one stands. */
  async function join(look: Look, group: Group): Promise<'busy'> {
    const { client } = look;
    const before = await headerOf(client, group.block);
    const to = await headerOf(client, group.meets!);
    const known = state!.follow.blocks.at(-1);
    if (known?.number === to.number && known.hash !== to.hash) return 'busy';
    const recent = await readRecent({
      client,
      chainId,
      readers: group.keys.map((key) => state!.readers.get(key)!),
      before,
      to,
      range,
      concurrency: chain.concurrency,
      instants: await instantsBetween(before, to, group),
      fullFrom: to.time - HOUR,
    });
    await commit(recent.step, null, look, false);
    return 'busy';
  }

  async function takeBack(to: { number: number; hash: string; time: number }, from: number) {
    const touched = familiesTouchedBy(chainId, deps);
    await leadership.transaction((tx) => rollBack(tx, chainId, to, touched, deps.now()));
    deps.onReorg(to.number, from);
    // Readers carry prices and pools of blocks that are gone: start again from the store.
    state = undefined;
  }

  async function commit(step: Step, ring: Commit['ring'], look: Look, atHead: boolean) {
    const keys = new Set(step.readers.map((reader) => reader.source.key));
    const progress = progressAfter(state!, step, look, atHead, deps.now());
    const made = await leadership.transaction((tx) =>
      commitStep(tx, { step, ring, progress, families: familiesTouchedBy(chainId, deps, keys) }),
    );
    for (const key of keys) {
      const row = state!.rows.get(key)!;
      const moved = { ...row, indexedBlock: step.to.number, indexedTime: step.to.time };
      state!.rows.set(key, moved);
    }
    state!.backfilled ||= progress.backfilled;
    written = { text: '', at: 0 };
    deps.onStep(step, progress, made);
  }

  /** Nothing to do. When that lasts the chain stands still, and no family may wait for it. */
  async function rest(look: Look, as: 'live' | 'syncing', error?: string): Promise<'idle'> {
    const { client, head } = look;
    if (!(await standstill!.check(client, head, deps.now()))) return report(look, as, error);
    const groups = groupByBlock([...state!.rows.values()]);
    const { keys } = groups.at(-1)!;
    const mark = `${head.hash} ${keys.join(' ')}`;
    if (mark === stood) return 'idle';
    // A family that is still catching up is left to do so, and the chain is syncing until then.
    if (groups.length > 1) await holdNobodyBack(deps, leadership, keys);
    else await markUnreachable(deps, leadership, error ?? standstillText(head));
    stood = mark;
    written = { text: '', at: 0 };
    return 'idle';
  }

  /** Without new rows: only what changed in the chain's status. */
  async function report(look: Look, as: 'live' | 'syncing', error?: string): Promise<'idle'> {
    const progress = progressWithout(state!, look, as, deps.now());
    const shown = { ...progress, error: error ?? progress.error };
    const text = JSON.stringify({ ...shown, now: 0 });
    if (text === written.text && progress.now - written.at < REPORT_SECONDS) return 'idle';
    await leadership.transaction((tx) => chainProgress.update(tx, chainId, shown));
    state!.backfilled ||= progress.backfilled;
    written = { text, at: progress.now };
    return 'idle';
  }

  async function headerOf(client: ChainClient, number: number): Promise<Header> {
    const header = await client.header(number);
    if (header === null) throw new BlockGone(number);
    return header;
  }
}

function behindText(client: ChainClient, block: number): string {
  return `rpc ${client.upstream} is behind block ${block}, which was indexed already`;
}
