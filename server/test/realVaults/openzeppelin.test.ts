import { describe } from 'vitest';
import { FOLDER, NEEDS } from './contracts.ts';
import { MOCK_PLANS, NPM_PLANS } from './plainPlans.ts';
import { playPlainVaults } from './plainScenario.ts';
import { testScenario } from './testScenario.ts';

describe('OpenZeppelin from npm', () => {
  testScenario(() => playPlainVaults({ seed: 4_626, plans: NPM_PLANS }), { killed: true });
});

describe.skipIf(FOLDER === undefined)(`OpenZeppelin's mocks (${NEEDS})`, () => {
  testScenario(() => playPlainVaults({ seed: 5_201, plans: MOCK_PLANS }));
});
