import type { Replay } from '../replay.ts';
import { startWorker } from '../vaultApi/worker.ts';

/** A new instance of an RPC plan in front of a replayed chain. */
export interface Plan {
  /** The chain as seen through the plan. */
  readonly replay: Replay;
  counts(): Promise<PlanCounts>;
  stop(): Promise<void>;
}

export interface PlanCounts {
  readonly methods: Readonly<Record<string, { readonly asked: number; readonly limited: number }>>;
  readonly requests: number;
  readonly units: number;
}

export interface ProviderReady {
  readonly url: string;
}

/** Methods that read a vault's state; all others read logs and headers. */
const STATE_METHODS = new Set(['eth_call', 'eth_getCode', 'eth_getStorageAt', 'eth_getBalance']);

export async function startPlan(profile: string, replay: Replay): Promise<Plan> {
  const worker = startWorker('../providers/providerProcess.js', [profile, replay.url]);
  const { url } = await worker.ask<ProviderReady>('url');
  return {
    replay: { ...replay, url },
    counts: () => worker.ask<PlanCounts>('counts'),
    stop: () => worker.stop(),
  };
}

/** Counts calls as a provider bills them: each item of a batch, including rejected ones. */
export function splitCalls({ methods }: Pick<PlanCounts, 'methods'>): {
  readonly chain: number;
  readonly state: number;
  readonly limited: number;
} {
  const sums = { chain: 0, state: 0, limited: 0 };
  for (const [method, { asked, limited }] of Object.entries(methods)) {
    sums[STATE_METHODS.has(method) ? 'state' : 'chain'] += asked;
    sums.limited += limited;
  }
  return sums;
}
