import { describe } from 'vitest';
import { GEARBOX } from './gearbox.ts';
import { usePackages } from './packageCode.ts';
import { playPackage } from './packageScenario.ts';
import { testScenario } from './testScenario.ts';

describe('Gearbox PoolV3', () => {
  usePackages('gearbox');
  testScenario(() => playPackage(GEARBOX));
});
