import { answerMessages } from '../vaultApi/worker.ts';
import type { ProviderReady } from './plan.ts';

// An RPC plan in front of the replayed chain, in a separate process: `providerProcess.js PROFILE TARGET`. The first
// message returns its URL, each later one its counts.
const [profile, target] = process.argv.slice(2);
const folder = new URL('../../../devnet/dist/provider/', import.meta.url);
const { serveProvider } = await import(new URL('index.js', folder).href);
const provider = await serveProvider({ profile, target, seed: 1 });

answerMessages<'url' | 'counts'>((asked): ProviderReady | object =>
  asked === 'url' ? { url: provider.url } : provider.counts(),
);
