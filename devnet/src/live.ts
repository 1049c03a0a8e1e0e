import type { ReorgBlock } from './chain.ts';
import { tend } from './operator.ts';
import { type Cadence, publish } from './publish.ts';
import type { Scene } from './scene.ts';
import { actAsUser } from './users.ts';
import type { World, WorldChain } from './world.ts';

export interface LiveOptions {
  readonly everySeconds: number;
  /** Unix seconds of the real clock. The chains follow it and never run ahead. */
  readonly now: () => number;
  onError?(chainId: number, error: unknown): void;
}

export interface Live {
  pause(): void;
  resume(): void;
  /** Stops after the blocks in progress. */
  stop(): Promise<void>;
}

const CADENCE: Cadence = { sharePriceSeconds: 300, feedSeconds: 300 };

/** Mines one block of ordinary activity. */
export function step(world: World, chainId: number, time: number): Promise<void> {
  const { chain, scene } = world.chain(chainId);
  return chain.exclusive(async () => {
    await fillBlock(scene, time);
    await chain.mine(time);
  });
}

/** Replaces `depth` blocks with `newBlocks` others over the same period. */
export async function reorgWorld(
  world: World,
  chainId: number,
  { depth, newBlocks }: { depth: number; newBlocks: number },
): Promise<void> {
  const { chain, scene } = world.chain(chainId);
  const until = chain.tip.time;
  const base = await chain.rpc<{ timestamp: string } | null>('eth_getBlockByNumber', [
    `0x${Math.max(0, chain.tip.number - depth).toString(16)}`,
    false,
  ]);
  const from = base ? Number(base.timestamp) : until;
  const blocks = Array.from({ length: newBlocks }, (_, index): ReorgBlock => {
    const timestamp = Math.floor(from + ((until - from) * (index + 1)) / newBlocks);
    return {
      timestamp,
      fill() {
        // Published prices and allowances may have been rolled back.
        if (index === 0) forget(scene);
        return fillBlock(scene, timestamp);
      },
    };
  });
  await chain.reorg({ depth, blocks });
  forget(scene);
}

/** Continues the scenario with a block on each chain every few seconds, and serves the devnet_ methods. */
export function startLive(world: World, options: LiveOptions): Live {
  let paused = false;
  let stopped = false;
  const timers = new Map<number, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  function schedule(entry: WorldChain, delaySeconds: number): void {
    if (stopped) return;
    timers.set(
      entry.chainId,
      setTimeout(() => {
        const turn = (paused ? Promise.resolve() : step(world, entry.chainId, options.now()))
          .catch((error) => options.onError?.(entry.chainId, error))
          .then(() => {
            running.delete(turn);
            schedule(entry, options.everySeconds);
          });
        running.add(turn);
      }, delaySeconds * 1000),
    );
  }

  for (const [index, entry] of world.chains.entries()) {
    offerControls(world, entry, options.now, (value) => {
      paused = value;
    });
    // Spread over the interval, so that the chains do not all work at the same time.
    schedule(entry, (options.everySeconds * (index + 1)) / world.chains.length);
  }
  return {
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

function offerControls(
  world: World,
  { chainId, chain }: WorldChain,
  now: () => number,
  setPaused: (paused: boolean) => void,
): void {
  chain.controls.set('devnet_pause', async () => setPaused(true));
  chain.controls.set('devnet_resume', async () => setPaused(false));
  chain.controls.set('devnet_step', async ([count = 1]) => {
    for (let made = 0; made < Number(count); made++) await step(world, chainId, now());
    return chain.head();
  });
  chain.controls.set('devnet_reorg', async ([depth, newBlocks = depth]) => {
    await reorgWorld(world, chainId, { depth: Number(depth), newBlocks: Number(newBlocks) });
    return chain.head();
  });
}

async function fillBlock(scene: Scene, time: number): Promise<void> {
  const { random } = scene;
  const people = scene.cast.crowd.map(({ address }) => address);
  scene.busy.clear();
  await publish(scene, time, CADENCE);
  // One family at a time; the others follow within a few blocks.
  await tend(scene, random.pick(scene.families));
  const actions = 1 + random.int(2);
  for (let action = 0; action < actions; action++) await actAsUser(scene, time, people);
}

function forget(scene: Scene): void {
  scene.approved.clear();
  scene.pricedAt = -1;
  for (const feed of scene.feeds) feed.publishedAt = -1;
}
