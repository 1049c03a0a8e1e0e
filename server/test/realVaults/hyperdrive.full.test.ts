import { describe } from 'vitest';
import { HYPERDRIVE } from './hyperdrive.ts';
import { usePackages } from './packageCode.ts';
import { playPackage } from './packageScenario.ts';
import { testScenario } from './testScenario.ts';

describe("Hyperdrive's yield source", () => {
  usePackages('@delvtech/hyperdrive-artifacts@1.0.21');
  testScenario(() => playPackage(HYPERDRIVE));
});
