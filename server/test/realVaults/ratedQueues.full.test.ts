import { describe } from 'vitest';
import { playQueues } from './ratedQueues.ts';
import { testScenario } from './testScenario.ts';

describe('queues of their own: Veda, Concrete, Upshift', () => {
  testScenario(playQueues, { killed: true });
});
