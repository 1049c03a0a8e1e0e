import { afterEach, beforeAll } from 'vitest';
import { createPaymentChain } from '../src/payments/chain/chainReads.ts';
import { createNodes } from '../src/payments/chain/nodes.ts';
import {
  createEmbeddedFacilitator,
  type EmbeddedFacilitator,
} from '../src/payments/facilitator/embedded.ts';
import type { GasLoss } from '../src/payments/facilitator/gasGuard.ts';
import { createHostile, type Hostile } from './hostile/hostile.ts';
import { GAS } from './paidServer.ts';
import { useResource, useTokenChain } from './paidTests.ts';

type Options = Parameters<typeof createEmbeddedFacilitator>[0];

/** Sets up a token chain with hostile payers, and one embedded facilitator at a time. */
export function useFacilitator() {
  const world = useTokenChain();
  const nodes = useResource(() =>
    createNodes({ chainId: 8453, rpcUrls: [world.url], timeoutMs: 20_000 }),
  );
  const hostile = {} as Hostile;
  let one: EmbeddedFacilitator | undefined;
  /** Gas lost in the test so far. */
  const losses: GasLoss[] = [];
  beforeAll(async () => {
    Object.assign(hostile, await createHostile(world));
  });
  afterEach(async () => {
    world.hold(false);
    losses.length = 0;
    await one?.close();
    one = undefined;
  });
  return { world, nodes, losses, hostile, open };

  function open(options: Partial<Options> = {}): EmbeddedFacilitator {
    const { terms, keys: privateKeys, multicall } = world;
    one = createEmbeddedFacilitator({
      ...{ nodes, terms, privateKeys, multicall, maxFeePerGas: 10n ** 12n, gas: GAS },
      getOnChainStatus: createPaymentChain({ nodes, terms }).getOnChainStatus,
      onGasLost: (loss) => losses.push(loss),
      ...options,
    });
    return one;
  }
}
