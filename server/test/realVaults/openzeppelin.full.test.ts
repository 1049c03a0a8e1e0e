import { describe } from 'vitest';
import { NPM_PLANS } from './plainPlans.ts';
import { playPlainVaults } from './plainScenario.ts';
import { testScenario } from './testScenario.ts';

describe('OpenZeppelin from npm', () => {
  testScenario(() => playPlainVaults({ seed: 4_626, plans: NPM_PLANS }), { killed: true });
});
