import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { draftConfig } from '../../src/init/init.ts';
import { withDatabase } from '../database.ts';
import { playCentrifuge } from './centrifugeStory.ts';
import { compare } from './compare.ts';
import { EXACTLY } from './exactly.ts';
import { GEARBOX } from './gearbox.ts';
import { HYPERDRIVE } from './hyperdrive.ts';
import { playLagoon } from './lagoonStory.ts';
import { playMorpho } from './morphoScenario.ts';
import { usePackages } from './packageCode.ts';
import { playPackage } from './packageScenario.ts';
import { NPM_PLANS, SOLMATE_PLANS } from './plainPlans.ts';
import { playPlainVaults } from './plainScenario.ts';
import { chainsOf, FINALITY, MAX_PRICE_AGE, type Scenario, TICKS } from './scenario.ts';
import { serve } from './serve.ts';
import type { Played } from './testScenario.ts';
import { playYo } from './yoScenario.ts';

interface File {
  http?: object;
  ticks?: object;
  prices?: { maxAgeSeconds?: number };
  chains: { finality?: object; pollSeconds?: number; timeoutSeconds?: number }[];
  families: { slug: string; address: string; priceFeed?: string }[];
}

/**
 * Returns what `init` writes from only the addresses of vaults and feeds, with the test's own polling interval and
 * names.
 */
async function initConfig(scenario: Scenario): Promise<string> {
  const vaults = new Set(
    scenario.families.flatMap(({ places }) =>
      places.map(({ chain, vaults: [first] }) => `${chain.chainId}:${first}`),
    ),
  );
  const { text } = await draftConfig(
    {
      chains: chainsOf(scenario).map(({ chainId, url }) => ({ chainId, url })),
      vaults: [...vaults].map((one) => {
        const [chain, address] = one.split(':');
        return { chain: chain!, address: address as `0x${string}` };
      }),
      feeds: (scenario.feeds ?? []).map(({ name, chain, proxy }) => ({
        ...{ name, chain: `${chain.chainId}`, address: proxy },
      })),
    },
    { file: 'init.yaml', schema: 'schema.json' },
  );
  const file = parse(text) as File;
  file.http = { host: '127.0.0.1', port: 0, adminPort: 0 };
  file.ticks = TICKS;
  if (file.prices) file.prices.maxAgeSeconds = MAX_PRICE_AGE;
  for (const chain of file.chains) {
    Object.assign(chain, { finality: { depth: FINALITY }, pollSeconds: 0.1, timeoutSeconds: 60 });
  }
  expect(file.families).toHaveLength(scenario.families.length);
  for (const family of file.families) {
    const played = scenario.families.find(
      ({ places }) => places[0]!.vaults[0] === family.address.toLowerCase(),
    )!;
    family.slug = played.slug;
    // `init` matches feeds to assets by symbol, but test tokens have arbitrary symbols.
    const feed = played.keys?.priceFeed;
    if (feed !== undefined) family.priceFeed = feed as string;
  }
  return stringify(file);
}

async function expectTruth(build: () => Promise<Played>): Promise<void> {
  const played = await build();
  try {
    // Moves past the timestamp of the last act.
    for (const chain of chainsOf(played)) {
      for (let i = 0; i < 2; i++) await chain.mine();
    }
    const text = await initConfig(played);
    await withDatabase('pglite', async ({ config }) => {
      const served = await serve(played, config, text);
      try {
        await served.live();
        expect(await compare(served, played)).toEqual([]);
      } finally {
        await served.stop();
      }
    });
  } finally {
    await Promise.all(chainsOf(played).map((chain) => chain.close()));
  }
}

describe('a server on the file that init writes', () => {
  usePackages('chainlink', 'morpho', 'solmate', 'gearbox', '@exactly/protocol@0.2.24');
  usePackages('@delvtech/hyperdrive-artifacts@1.0.21');

  test.each([
    ['OpenZeppelin', () => playPlainVaults({ seed: 4_626, plans: NPM_PLANS })],
    ['MetaMorpho', playMorpho],
    ['solmate', () => playPlainVaults({ seed: 6_800, plans: SOLMATE_PLANS, multicall: false })],
    ['Gearbox', () => playPackage(GEARBOX)],
    ['Exactly', () => playPackage(EXACTLY)],
    ['Hyperdrive', () => playPackage(HYPERDRIVE)],
    ['YO V2', playYo],
    ['Lagoon', () => playLagoon({ nameSilo: false, closes: false })],
    ['Centrifuge', playCentrifuge],
  ] as const)('default: %s', (_, build) => expectTruth(build));
});
