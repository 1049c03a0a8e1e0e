import { describe } from 'vitest';
import { playFeesInShares } from './feesInShares.ts';
import { testScenario } from './testScenario.ts';

describe('fees taken in shares: IPOR Fusion, Morpho Vault V2, Superform', () => {
  testScenario(playFeesInShares, { killed: true });
});
