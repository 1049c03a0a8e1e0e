import { describe } from 'vitest';
import { playMapleCyclical } from './mapleCyclical.ts';
import { testScenario } from './testScenario.ts';

describe("Maple's cyclical withdrawals", () => {
  testScenario(playMapleCyclical);
});
