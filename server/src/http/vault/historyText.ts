import { HISTORY_TYPE } from '../../store/history/history.ts';
import type { HistoryRows } from '../../store/history/historyRows.ts';
import { checksummedDigits } from '../checksum.ts';
import type { VaultAddresses } from './historyScope.ts';

/** Of one row, where the store tells more of it. */
export function placeKey(row: { chainId: string; blockNumber: string; logIndex: string }): string {
  return `${row.chainId} ${row.blockNumber} ${row.logIndex}`;
}

const TYPE_NAMES = new Map(
  Object.entries(HISTORY_TYPE).map(([name, type]) => [String(type), name]),
);

/**
 * The next rows, at most so many, as items of JSON; written as text in one go: the rows come as digits and hex, which need no escapes, and their way through objects takes three times as long.
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
    // Often that of the row before.
    if (rows.wallet !== wallet) {
      wallet = rows.wallet;
      user = checksummedDigits(wallet);
    }
    const vault = others?.get(placeKey(rows)) ?? vaults.get(rows.familyId)!.get(rows.chainId)!;
    const assets = rows.assets === '' ? 'null' : `"${rows.assets}"`;
    items += `${count === 0 ? '' : ','}{"type":"${TYPE_NAMES.get(rows.type)!}","chainId":${rows.chainId},"vaultAddress":"${vault}","user":"${user}","assets":${assets},"shares":"${rows.shares}","transactionHash":"0x${rows.txHash}","blockTimestamp":${rows.blockTime}}`;
  }
  return items;
}
