import { findStateDepth, stateDepthText } from '../chain/stateDepth.ts';
import type { FoundVault } from './findVault.ts';
import type { ReportLine } from './report.ts';

/** One line for each URL of a chain if none has state from the first block of its vaults on. */
export async function reportStateDepth(
  chain: FoundVault['chain'],
  vaults: readonly FoundVault[],
): Promise<ReportLine[]> {
  const [oldest] = vaults
    .filter((one) => one.chain === chain)
    .toSorted((a, b) => (a.startBlock ?? 0) - (b.startBlock ?? 0));
  if (oldest === undefined) return [];
  const lines: ReportLine[] = [];
  for (const [i, rpc] of chain.rpcs.entries()) {
    const asked = { first: oldest.startBlock ?? 0, head: chain.look.block };
    const depth = await findStateDepth(rpc, { ...asked, address: oldest.vault.address });
    const text = stateDepthText(depth, chain.chainId);
    if (text === undefined) return [];
    lines.push({ mark: 'missing', text: `chains: URL ${i + 1} of ${chain.name}: ${text}` });
  }
  return lines;
}
