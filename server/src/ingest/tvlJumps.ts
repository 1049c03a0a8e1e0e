import type { Tick } from '../domain/series/tick.ts';

/** A TVL that changes by this factor is usually an error. It is stored and logged. */
const JUMP = 10n;

/** Returns the ticks with more than ten times the TVL of the tick before, or less than a tenth. */
export function findTvlJumps(
  made: readonly {
    readonly family: { readonly slug: string };
    readonly ticks: readonly Pick<Tick, 'at' | 'tvl'>[];
  }[],
): { readonly family: string; readonly at: number }[] {
  return made.flatMap(({ family, ticks }) =>
    ticks
      .filter(({ tvl }, i) => i > 0 && isJump(ticks[i - 1]!.tvl, tvl))
      .map(({ at }) => ({ family: family.slug, at })),
  );
}

function isJump(before: bigint, tvl: bigint): boolean {
  if (before === 0n || tvl === 0n) return false;
  return tvl > before * JUMP || before > tvl * JUMP;
}
