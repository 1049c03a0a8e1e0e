import type { Header } from './chainClient.ts';
import { readHeads, within } from './readHeads.ts';
import { type RpcError, RpcUnreachable, StateUnavailable } from './rpcError.ts';
import type { ChainIdentity, Upstream } from './upstream.ts';
import type { Picked, Upstreams, UpstreamsOptions } from './upstreams.ts';

/** Chooses the URL in use. */
export interface Picker extends Pick<Upstreams, 'pick'> {
  current(): Upstream;
}

/** How often the heads of siblings are read by default. */
export const SIBLING_MS = 15_000;
/** The RPC endpoint in use may be this far behind a sibling: propagation differs by a block or two. */
const LAG_BLOCKS = 3;

export function createPicker(
  options: Pick<UpstreamsOptions, 'graceMs' | 'catchUpMs' | 'siblingMs'> & {
    readonly all: readonly Upstream[];
    readonly identity: ChainIdentity;
    readonly now: () => number;
  },
): Picker {
  const { all, identity, now } = options;
  const { graceMs = 500, catchUpMs = 2_000, siblingMs = SIBLING_MS } = options;
  let current = all[0];
  /** Before the first choice nothing is known about the siblings, so it waits for them a little. */
  let chosen = false;

  return { pick, current: () => current! };

  async function pick({ mustHave = 0 }: { mustHave?: number } = {}): Promise<Picked> {
    const awake = all.filter((one) => one.pausedUntil() <= now());
    if (awake.length === 0) throw lastError();
    const kept = await readCurrent(awake, mustHave);
    if (kept !== null) return kept;
    // URLs that failed just now are paused, unless they are the only ones left.
    const usable = all.filter((one) => one.pausedUntil() <= now());
    return choose(await readAll(usable, mustHave), mustHave);
  }

  /** The usual case: one request. The heads of siblings are read now and then, without waiting for them. */
  async function readCurrent(awake: readonly Upstream[], mustHave: number): Promise<Picked | null> {
    const one = current;
    if (one === undefined || !awake.includes(one) || one.isReading()) return null;
    if (!chosen && awake.length > 1) return null;
    for (const sibling of awake) {
      if (sibling !== one && now() - sibling.readAt() >= siblingMs)
        sibling.readHead().catch(() => {});
    }
    const head = await within(one.readHead(), awake.length === 1 ? null : graceMs);
    if (head === null || head.number < Math.max(mustHave, bestKnown() - LAG_BLOCKS)) return null;
    return use(one, head);
  }

  function readAll(usable: readonly Upstream[], mustHave: number): Promise<Map<Upstream, Header>> {
    return readHeads(usable, (one, { number }) => {
      if (number < Math.max(mustHave, bestKnown() - LAG_BLOCKS)) return catchUpMs;
      return one === current && chosen ? null : graceMs;
    });
  }

  function choose(answers: ReadonlyMap<Upstream, Header>, mustHave: number): Picked {
    if (answers.size === 0) throw lastError();
    const highest = Math.max(...[...answers.values()].map((head) => head.number));
    const minimum = Math.max(mustHave, highest - LAG_BLOCKS);
    const fit = [...answers].filter(([, head]) => head.number >= minimum);
    const best = fit.find(([one]) => one === current) ?? fit[0];
    if (best === undefined) {
      const [first] = answers.keys();
      throw new StateUnavailable({ upstream: first!.client.upstream, reason: 'unknown-block' });
    }
    return use(...best);
  }

  /** The first one used determines the chain of this ID, unless the store has it. */
  function use(one: Upstream, head: Header): Picked {
    current = one;
    chosen = true;
    identity.genesis ??= one.genesis();
    return { client: one.client, head };
  }

  /** Ignores URLs with errors: the last head before a failure proves nothing. */
  function bestKnown(): number {
    const heads = all.map((one) => (one.error() === null ? (one.head()?.number ?? 0) : 0));
    return Math.max(0, ...heads);
  }

  function lastError(): RpcError {
    const failing = all.filter((one) => one.error() !== null);
    failing.sort((a, b) => b.readAt() - a.readAt());
    return failing[0]?.error() ?? new RpcUnreachable({ upstream: 1, reason: 'connection' });
  }
}
