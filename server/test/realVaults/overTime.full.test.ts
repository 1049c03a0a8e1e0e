import { describe } from 'vitest';
import { playOverTime } from './overTimeScenario.ts';
import { testScenario } from './testScenario.ts';

describe('Yearn V3 and Ethena (models)', () => {
  testScenario(playOverTime, { killed: true });
});
