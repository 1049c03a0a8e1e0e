import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import { draftConfig } from './init.ts';

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'init' });
});
afterAll(() => served?.close());
describe('draftConfig', () => {
  test('default', async () => {
    const { world } = served;
    const chains = world.chains.map(({ url }) => ({ chainId: null, url: url! }));
    const vaults = [
      ...world.families.map(({ address }) => address),
      ...Object.values(world.extras!).slice(0, 3),
    ].map((address) => ({ chain: null, address: address.toLowerCase() as `0x${string}` }));
    const feeds = world.feeds.map(({ name, chainId, address }) => ({
      name,
      chain: `${chainId}`,
      address: address.toLowerCase() as `0x${string}`,
    }));
    const { text, lines } = await draftConfig(
      { chains, vaults, feeds },
      { file: 'a.yaml', schema: 's' },
    );
    console.log(text);
    console.log(lines.map((l) => `${l.found} ${l.text}`).join('\n'));
    expect(1).toBe(1);
  });
});
