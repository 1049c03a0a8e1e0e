import { describe } from 'vitest';
import { EXACTLY } from './exactly.ts';
import { usePackages } from './packageCode.ts';
import { playPackage } from './packageScenario.ts';
import { testScenario } from './testScenario.ts';

describe('Exactly', () => {
  usePackages('@exactly/protocol@0.2.24');
  testScenario(() => playPackage(EXACTLY));
});
