import { configuredRate, createCallCost } from './callCost.ts';
import type { ChainClient } from './chainClient.ts';
import { withCheckedTimes } from './checkedTimes.ts';
import { createChainClient } from './client.ts';
import { withCollectedCalls } from './collectedCalls.ts';
import { createKeeps, type Keeps } from './deepReads.ts';
import { createPace } from './pace.ts';
import { createRetryingRpc } from './retryingRpc.ts';
import { createRpcClient, type RpcClient } from './rpcClient.ts';
import { withSteadyReads } from './steadyReads.ts';
import type { UpstreamsOptions } from './upstreams.ts';
import type { UrlLimits } from './urlLimits.ts';

/** One URL with its client, and which blocks it was seen to keep. */
export interface OpenUrl {
  readonly rpc: RpcClient;
  readonly client: ChainClient;
  readonly keeps: Keeps;
}

/** How long to retry a URL that rate-limits every call: with other URLs, and alone. */
const RETRY_MS = 10_000;
const RETRY_ALONE_MS = 45_000;
/** The same if the URL alone requests the wait: what was read of a step would be lost. */
const REQUESTED_ALONE_MS = 180_000;

/** Opens the URLs of a chain, in their order. */
export function openUrls({
  chain,
  patient,
  limits,
  onCalls,
}: Pick<UpstreamsOptions, 'chain' | 'patient' | 'onCalls'> & {
  readonly limits: readonly UrlLimits[];
}): OpenUrl[] {
  const { chainId } = chain;
  const timeoutMs = chain.timeoutSeconds * 1000;
  const cost = createCallCost(chain);
  const isAlone = chain.rpcUrls.length === 1;
  return chain.rpcUrls.map((url, i) => {
    const own = limits[i]!;
    const plain = createRpcClient({ url, upstream: i + 1, timeoutMs, onCalls, chainId });
    const rpc = patient ? retrying(plain, own) : plain;
    const keeps = createKeeps(own);
    const raw = createChainClient({ rpc, multicall: chain.multicall, limits: own });
    const onUneven = () => {
      keeps.uneven = true;
    };
    const steady = patient ? withSteadyReads(raw, onUneven) : raw;
    return { rpc, client: withCollectedCalls(withCheckedTimes(steady)), keeps };
  });

  function retrying(rpc: RpcClient, own: UrlLimits): RpcClient {
    const pace = createPace({
      callsPerSecond: configuredRate(chain),
      learned: own.callsPerSecond ?? undefined,
      onRate: (rate) => {
        own.callsPerSecond = rate;
      },
    });
    return createRetryingRpc(rpc, {
      pace,
      cost,
      retryMs: isAlone ? RETRY_ALONE_MS : RETRY_MS,
      requestedMs: isAlone ? REQUESTED_ALONE_MS : RETRY_MS,
    });
  }
}
