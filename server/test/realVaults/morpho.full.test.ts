import { describe } from 'vitest';
import { playMorpho } from './morphoScenario.ts';
import { usePackages } from './packageCode.ts';
import { testScenario } from './testScenario.ts';

describe('MetaMorpho on Morpho Blue', () => {
  usePackages('morpho', 'chainlink');
  testScenario(playMorpho);
});
