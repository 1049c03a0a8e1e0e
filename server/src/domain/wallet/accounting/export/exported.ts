import { csvCell } from '../../../csv.ts';
import { writeDecimal } from '../../../decimalText.ts';
import type { TimeZone } from '../../../timeZone.ts';
import type { MoveType } from '../moveType.ts';

/** A family of a statement as a file of it needs it: amounts in base units, as the API returns them. */
export interface ExportedFamily {
  readonly family: string;
  readonly baseAssetSymbol: string;
  readonly baseAssetDecimals: number;
  readonly shareSymbol: string;
  readonly shareDecimals: number;
  readonly entries: readonly ExportedEntry[];
}

export interface ExportedEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly chainId: number;
  readonly type: MoveType;
  readonly shares: string;
  readonly assets: string;
  readonly cost: string;
  readonly realized: string | null;
  readonly usd: number | null;
  readonly transactionHash: string | null;
}

/** One entry with what its row shows. */
export interface ExportedRow {
  readonly entry: ExportedEntry;
  readonly family: ExportedFamily;
  /** In tokens, exact, without a sign. */
  readonly shares: string;
  readonly assets: string;
}

/** The entries of all families, the oldest first. */
export function rowsOf(families: readonly ExportedFamily[]): ExportedRow[] {
  const rows = families.flatMap((family) =>
    family.entries.map((entry) => ({
      entry,
      family,
      shares: tokens(BigInt(entry.shares), family.shareDecimals),
      assets: tokens(BigInt(entry.assets), family.baseAssetDecimals),
    })),
  );
  return rows.sort((a, b) => (a.entry.at < b.entry.at ? -1 : a.entry.at > b.entry.at ? 1 : 0));
}

export function tokens(units: bigint, decimals: number): string {
  return writeDecimal({ value: units, decimals });
}

export function describe({ entry, family }: ExportedRow): string {
  return `${family.family}: ${entry.type} on chain ${entry.chainId}`;
}

export function timeOf({ at }: ExportedEntry, zone: TimeZone): string {
  return zone.textOf(Math.floor(Date.parse(at) / 1000));
}

type Cell = string | number | null;

/** Lines end as RFC 4180 has it. */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
