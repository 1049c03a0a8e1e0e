import { describe } from 'vitest';
import { playQueues } from './ratedQueues.ts';
import { testScenario } from './testScenario.ts';

describe('redemption queues: Veda, Concrete, Upshift', () => {
  testScenario(playQueues, { killed: true });
});
