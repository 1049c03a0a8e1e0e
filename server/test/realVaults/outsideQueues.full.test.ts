import { describe } from 'vitest';
import { playOutsideQueues } from './outsideQueues.ts';
import { testScenario } from './testScenario.ts';

describe('special queues: a timelock, Maple, Mellow on Symbiotic', () => {
  testScenario(playOutsideQueues, { killed: true });
});
