import { type Address, type Hex, lower } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { Deployment } from './deployment.ts';
import { isTransfer, type ShareTransfer, TRANSFER, transferOf, wordOf } from './vaultLogs.ts';

/** Transfers of the base asset in one transaction from or to one of these accounts. */
export async function readAssetMoves(
  deployment: Deployment,
  { block, transaction }: { readonly block: number; readonly transaction: Hex },
  accounts: readonly Address[],
): Promise<ShareTransfer[]> {
  const { chain, reader } = deployment;
  const asset = await need<Address>(
    deployment.askAt(block),
    chain.address,
    'asset() view returns (address)',
  );
  const words = accounts.map(wordOf);
  const found = new Map<number, ShareTransfer>();
  for (const sides of [[words], [null, words]]) {
    const filter = { addresses: [lower(asset)], topics: [[TRANSFER], ...sides] };
    await reader.logs({ fromBlock: block, toBlock: block, filter }, (logs) => {
      for (const log of logs) {
        if (log.transactionHash !== transaction || !isTransfer(log)) continue;
        found.set(log.logIndex, transferOf(log));
      }
    });
  }
  return [...found.values()];
}
