import type { Address } from '../../src/domain/hex.ts';
import type { Contract, LocalChain } from './chain.ts';
import { packageCompiled } from './packageCode.ts';
import { account, OWNER } from './plainScenario.ts';

const REPORTER = account(0x0facen);
const ZERO = '0x0000000000000000000000000000000000000000';

/** A Chainlink price feed behind its proxy. */
export interface PriceFeed {
  readonly proxy: Address;
  readonly startBlock: number;
  /** Submits the next round's answer, with 8 decimals. */
  submit(answer: bigint): Promise<void>;
  /** Switches to another aggregator; the proxy emits no event. */
  changeAggregator(): Promise<void>;
}

export async function createFeed(chain: LocalChain, link: Address): Promise<PriceFeed> {
  const startBlock = chain.tip.number + 1;
  let aggregator = await openAggregator();
  const proxyCode = await packageCompiled('chainlink', 'EACAggregatorProxy');
  const proxy = await chain.deploy(OWNER, proxyCode, [aggregator.address, ZERO]);

  async function openAggregator(): Promise<Contract> {
    const code = await packageCompiled('chainlink', 'FluxAggregator');
    const made = await chain.deploy(OWNER, code, [
      link,
      0n,
      60,
      ZERO,
      1n,
      10n ** 18n,
      8,
      'base / USD',
    ]);
    await chain.send(OWNER, made, 'changeOracles', [[], [REPORTER], [OWNER], 1, 1, 0]);
    return made;
  }

  return {
    proxy: proxy.address,
    startBlock,
    async submit(answer) {
      const round = 1n + (await chain.read(aggregator, 'latestRound'));
      await chain.send(REPORTER, aggregator, 'submit', [round, answer]);
    },
    async changeAggregator() {
      aggregator = await openAggregator();
      await chain.send(OWNER, proxy, 'proposeAggregator', [aggregator.address]);
      await chain.send(OWNER, proxy, 'confirmAggregator', [aggregator.address]);
    },
  };
}
