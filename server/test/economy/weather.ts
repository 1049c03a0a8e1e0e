import { pause } from '../../src/runtime/pause.ts';
import type { Fault } from '../faultyRpc.ts';
import type { Market } from './market.ts';

const SENDS = { only: ['eth_sendRawTransaction'] };
const FAULTS: readonly (readonly [Fault, { only?: readonly string[] }])[] = [
  [{ kind: 'delay', ms: 300 }, {}],
  [{ kind: 'delay', ms: 600 }, SENDS],
  [{ kind: 'hang' }, {}],
  [{ kind: 'hang' }, SENDS],
  [{ kind: 'http500' }, {}],
  [{ kind: 'http429', retryAfter: 1 }, {}],
  [{ kind: 'garbage', shape: 'html' }, {}],
  [{ kind: 'garbage', shape: 'truncated' }, {}],
  [{ kind: 'lag', blocks: 1 }, {}],
  [{ kind: 'lag', blocks: 2 }, {}],
  [{ kind: 'deny' }, SENDS],
  [{ kind: 'refuse', words: 'txpool is full' }, SENDS],
  [{ kind: 'dead' }, {}],
];
/** The maximum reorg depth: signed payments must remain valid long enough to be sent again. */
const DEEPEST = 3;

/** Injects faults until it is stopped, then restores the chain; returns how many reorgs and node faults it caused. */
export async function shake(
  { chain, node, random }: Market,
  isOver: () => boolean,
): Promise<{ readonly reorgs: number; readonly faults: number }> {
  let reorgs = 0;
  let faults = 0;
  for (let round = 0; !isOver(); round++) {
    const [fault, only] = FAULTS[round % FAULTS.length]!;
    await node.mode(fault, only);
    faults++;
    await pause(200 + random.int(800));
    await node.mode({ kind: 'none' });
    await pause(500 + random.int(500));
    if (round % 3 === 0) chain.lose(1 + random.int(3));
    if (round % 4 === 1) await stall();
    if (round % 2 === 1) {
      await reorg();
      reorgs++;
    }
  }
  chain.lose(0);
  return { reorgs, faults };

  /** Stops mining for a while. */
  async function stall(): Promise<void> {
    chain.hold(true);
    await pause(300 + random.int(900));
    chain.hold(false);
    await chain.mine();
  }

  async function reorg(): Promise<void> {
    const depth = 1 + random.int(DEEPEST);
    const blocks = Array.from({ length: depth + 1 }, () => ({ timestamp: chain.now() }));
    await chain.chain.reorg({ depth, blocks });
  }
}
