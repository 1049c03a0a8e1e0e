import type { HistoryRows } from '../../store/history/historyRows.ts';
import { historyVaults } from '../../store/history/historyVaults.ts';
import type { Queryable } from '../../store/store.ts';
import { checksummed } from '../checksum.ts';
import { placeKey } from './historyText.ts';

/** Returns which of these rows belong to an additional vault over their family's share, and to which. */
export async function findAdditionalVaults(
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
