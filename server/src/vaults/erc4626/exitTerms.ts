import { fn } from '../../chain/abi.ts';
import {
  type DeclaredPeriod,
  type ExitTerms,
  type HolderLimit,
  NONE,
  type PeriodName,
  UNKNOWN,
  type Withdrawable,
  withdrawableBy,
} from '../../domain/vault/exitTerms.ts';
import { numberIn } from '../callResult.ts';
import { commonCalls, commonIn, type ExitVault, readFee, readHolderLimits } from '../exitTerms.ts';
import type { CallResult, Rounds } from '../kind.ts';
import { together } from '../rounds.ts';

const cooldowns = fn('cooldowns(address)');
const adaptersLength = fn('adaptersLength()');

/** Periods of known vaults: Ethena, Aave Umbrella, Origin ARM, MetaMorpho. */
const PERIODS: readonly (readonly [PeriodName, ReturnType<typeof fn>])[] = [
  ['cooldown', fn('cooldownDuration()')],
  ['cooldown', fn('getCooldown()')],
  ['unstake-window', fn('getUnstakeWindow()')],
  ['claim-delay', fn('claimDelay()')],
  ['timelock', fn('timelock()')],
];
/** Longer ones are numbers of another meaning, such as an address. */
const MAX_SECONDS = 10n * 366n * 86_400n;

/** Exits are paid at once up to what the vault states for its holders, or after a cooldown. */
export function* exitTerms(vault: ExitVault): Rounds<ExitTerms> {
  const { chain } = vault;
  const common = commonCalls(vault);
  const first = yield [
    ...common,
    { to: chain.address, data: adaptersLength() },
    { to: chain.address, data: cooldowns(chain.address) },
    ...PERIODS.map(([, period]) => ({ to: chain.address, data: period() })),
  ];
  const { paused, deposits, shares } = commonIn(vault, first);
  const [adapters, cooling, ...declared] = first.slice(common.length);
  const periods = periodsIn(declared);
  const [fee, holders] = yield* both(readFee(chain.address, shares), readHolderLimits(vault));
  // Morpho Vault V2 returns 0 for every limit: that is no limit.
  const hasLimits = numberIn(adapters) === null;
  const cooldown = periods.find(({ name, seconds }) => name === 'cooldown' && seconds > 0);
  // Without the second function, a period of that name may not stop withdrawals.
  const mustCool = cooldown !== undefined && (numberIn(cooling) !== null || declared[1] != null);
  return {
    shares,
    paused,
    isClosed: false,
    withdrawable: mustCool ? NONE : hasLimits ? limitsOf(holders, paused, cooldown) : UNKNOWN,
    hasQueue: mustCool ? true : null,
    fee,
    periods,
    deposits: hasLimits ? deposits : null,
  };
}

/** A paused vault may still state the limits that it has otherwise. */
function limitsOf(
  holders: readonly HolderLimit[],
  paused: boolean | null,
  cooldown: DeclaredPeriod | undefined,
): Withdrawable {
  const withdrawable = withdrawableBy(holders);
  if ((paused || cooldown !== undefined) && withdrawable.atLeast !== 0n) return UNKNOWN;
  return withdrawable;
}

function periodsIn(answers: readonly CallResult[]): DeclaredPeriod[] {
  return PERIODS.flatMap(([name], i) => {
    const seconds = numberIn(answers[i]);
    return seconds === null || seconds > MAX_SECONDS ? [] : [{ name, seconds: Number(seconds) }];
  });
}

function* both<A, B>(a: Rounds<A>, b: Rounds<B>): Rounds<[A, B]> {
  return (yield* together<A | B>([a, b])) as [A, B];
}
