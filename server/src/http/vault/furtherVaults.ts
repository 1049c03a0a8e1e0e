import type { HistoryRows } from '../../store/history/historyRows.ts';
import { historyVaults } from '../../store/history/historyVaults.ts';
import type { Queryable } from '../../store/store.ts';
import { checksummed } from '../checksum.ts';
import { placeKey } from './historyText.ts';

/** Which of these rows are of a further vault over their family's share, and of which. */
export async function furtherVaults(
  db: Queryable,
  rows: HistoryRows,
): Promise<ReadonlyMap<string, string>> {
  const places = [];
  while (rows.next()) places.push(rows.place());
  if (places.length === 0) return new Map();
  const found = await historyVaults.getOfPlaces(db, places);
  return new Map(
    found.map(({ vault, chainId, blockNumber, logIndex }) => [
      placeKey({ chainId: `${chainId}`, blockNumber: `${blockNumber}`, logIndex: `${logIndex}` }),
      checksummed(vault),
    ]),
  );
}
