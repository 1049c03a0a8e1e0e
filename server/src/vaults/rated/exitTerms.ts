import type { RatedConfig } from '../../config/rated/description.ts';
import { type ExitTerms, NONE, UNKNOWN } from '../../domain/vault/exitTerms.ts';
import { numberIn } from '../callResult.ts';
import type { ExitVault } from '../exitTerms.ts';
import type { Rounds } from '../kind.ts';

/** The description names the events of exits, and at most whether the rate is paused. */
export function* exitTerms({ chain }: ExitVault): Rounds<ExitTerms> {
  const { rate, flows } = chain.rated as RatedConfig;
  const pause = rate.kind === 'call' ? rate.paused : null;
  const [answer] = pause === null ? [] : yield [{ to: pause.contract, data: pause.data }];
  const isPaused = pause === null ? null : numberIn(answer, pause.answer);
  const has = (action: string) => flows.some((flow) => flow.action === action);
  const isRequested = has('request');
  return {
    shares: null,
    paused: isPaused === null ? null : isPaused !== 0n,
    isClosed: false,
    withdrawable: isRequested && !has('exit') ? NONE : UNKNOWN,
    hasQueue: isRequested ? true : null,
    fee: null,
    periods: [],
    deposits: null,
  };
}
