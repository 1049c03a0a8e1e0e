import { describe } from 'vitest';
import { FOLDER, NEEDS } from './contracts.ts';
import { playMorpho } from './morphoScenario.ts';
import { testScenario } from './testScenario.ts';

describe.skipIf(FOLDER === undefined)(`MetaMorpho (${NEEDS})`, () => {
  testScenario(playMorpho, { killed: true });
});
