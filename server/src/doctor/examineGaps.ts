import type { CheckLine } from '../check/line.ts';
import { runOnServer, ServerTakesNoCommand } from '../cli/adminClient.ts';
import type { ChainConfig } from '../config/config.ts';
import { gapText } from '../domain/gapText.ts';
import type { FamilyGap } from '../store/gaps/familyGaps.ts';

/** One line per gap: a failure, unless the file accepts it and only state is missing. */
export function examineGaps(
  gaps: readonly FamilyGap[],
  chains: readonly ChainConfig[],
): CheckLine[] {
  return gaps.map((gap) => {
    const chain = chains.find(({ chainId }) => chainId === gap.chainId);
    const text = gapText(gap);
    if (gap.reason === 'state' && chain?.acceptGaps) return { ok: true, warning: true, text };
    return { ok: false, text };
  });
}

/** Returns the gaps from the server that uses the store's folder; none if it does not respond. */
export async function askGaps(folder: string, pid: number): Promise<FamilyGap[]> {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  try {
    await runOnServer({ folder, pid, name: 'gaps', args: {}, print, printError: () => {} });
  } catch (error) {
    // Another line reports a server that does not respond; an older version records no gaps.
    if (error instanceof ServerTakesNoCommand) return [];
    throw error;
  }
  return lines.map((line) => JSON.parse(line) as FamilyGap);
}
