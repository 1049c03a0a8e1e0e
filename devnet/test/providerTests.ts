import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Provider, type ProviderOptions, serveProvider } from '../src/provider/provider.ts';
import { createTestClock, type ProviderChain, serveProviderChain } from './providerChain.ts';

/** One chain per test file, with providers in front of it that are closed after each test. */
export function useProviders() {
  let chain: ProviderChain;
  const open: Provider[] = [];
  beforeAll(async () => {
    chain = await serveProviderChain();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((provider) => provider.close()));
  });
  afterAll(() => chain.close());

  return {
    chain: () => chain,
    async serve(
      profile: ProviderOptions['profile'],
      options: Partial<ProviderOptions> = {},
    ): Promise<Provider> {
      const clock = createTestClock();
      const provider = await serveProvider({ profile, target: chain.url, clock, ...options });
      open.push(provider);
      return provider;
    },
  };
}
