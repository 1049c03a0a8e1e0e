import { Check } from 'typebox/schema';
import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { Config } from '../../config/config.ts';
import { exitsRoute } from './exits.ts';
import { holdersRoute } from './holders.ts';
import { lotsRoute } from './lots.ts';
import { yieldRoute } from './yield.ts';

const WALLET = `0x${'01'.repeat(20)}`;
const NOW = 1_770_000_000;

describeAnyEngine('incompleteChains', (open) => {
  test('default: lots, yield, exits, and holders list a chain that is not read', async () => {
    const store = await open();
    const chain = { chainId: 8453, address: `0x${'02'.repeat(20)}`, vaults: [], custody: [] };
    const family = {
      slug: 'alpha',
      adapter: 'erc4626',
      feederOf: null,
      priceFeed: null,
      chains: [chain],
    };
    const config = {
      chains: [{ chainId: 8453, rpcUrls: [], pollSeconds: 2 }],
      families: [family],
    } as unknown as Config;
    const routes = [
      lotsRoute({ config, store, cursorKey: '0x0b' }),
      yieldRoute({ config, store }),
      exitsRoute({ config, store }),
      holdersRoute({ config, store }),
    ];
    for (const route of routes) {
      const path = { slug: 'alpha', walletAddress: WALLET };
      const answer = await route.answer({ path, query: new Map(), now: NOW });
      expect(answer, route.path).toMatchObject({
        incompleteChains: [{ family: 'alpha', chainId: 8453, reason: 'unconfigured' }],
      });
      expect(Check(route.response, answer), route.path).toBe(true);
    }
  });
});
