import { HISTORY_TYPE } from '../../store/history/history.ts';
import type { HistoryRows } from '../../store/history/historyRows.ts';
import { checksummedDigits } from '../checksum.ts';
import type { VaultAddresses } from './historyScope.ts';

/** Returns the key of a row. */
export function placeKey(row: { chainId: string; blockNumber: string; logIndex: string }): string {
  return `${row.chainId} ${row.blockNumber} ${row.logIndex}`;
}

const TYPE_NAMES = new Map(
  Object.entries(HISTORY_TYPE).map(([name, type]) => [String(type), name]),
);

/**
 * Serializes up to this many rows as JSON items directly: the rows are digits and hex, which need no escapes, and
 * converting them to objects first takes three times as long.
 */
export function itemsText(
  rows: HistoryRows,
  most: number,
  vaults: VaultAddresses,
  others?: ReadonlyMap<string, string>,
): string {
  let items = '';
  let wallet = '';
  let user = '';
  for (let count = 0; count < most && rows.next(); count++) {
    // Often the same as in the previous row.
    if (rows.wallet !== wallet) {
      wallet = rows.wallet;
      user = checksummedDigits(wallet);
    }
    const { chainId, blockNumber, logIndex } = rows;
    const vault = others?.get(placeKey(rows)) ?? vaults.get(rows.familyId)!.get(chainId)!;
    const assets = rows.assets === '' ? 'null' : `"${rows.assets}"`;
    items += `${count === 0 ? '' : ','}{"id":"${chainId}-${blockNumber}-${logIndex}","type":"${TYPE_NAMES.get(rows.type)!}","chainId":${chainId},"vaultAddress":"${vault}","user":"${user}","assets":${assets},"shares":"${rows.shares}","transactionHash":"0x${rows.txHash}","blockTimestamp":${rows.blockTime},"blockNumber":${blockNumber},"logIndex":${logIndex}}`;
  }
  return items;
}
