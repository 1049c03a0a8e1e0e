import { describe } from 'vitest';
import { FOLDER, NEEDS } from './contracts.ts';
import { testScenario } from './testScenario.ts';
import { playYo } from './yoScenario.ts';

describe.skipIf(FOLDER === undefined)(`YO V2 (${NEEDS})`, () => {
  testScenario(playYo, { killed: true });
});
