import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import type { Citation, CitedRecord, RecordNames } from '../../domain/risk/record.ts';
import type { RecordRow } from '../../store/risk/records.ts';
import { shortHash } from '../thread/shortHash.ts';

interface Body {
  readonly facts: Record<string, unknown>;
  /** The citation of a curated fact, and the day of its lookup. */
  readonly citations?: Readonly<Record<string, Citation>>;
  readonly names?: RecordNames;
  readonly edges: (readonly [type: RiskEdge['type'], targetId: string, weight: number])[];
}

/**
 * A record as stored. Equal content has equal text and hash, in any order of keys. If the record requests it, the hash
 * is that of its rounded facts.
 */
export function toRecordRow(record: CitedRecord): RecordRow {
  const { id, label, facts } = record.node;
  const beside = {
    ...(record.citations !== undefined && { citations: record.citations }),
    ...(record.names !== undefined && { names: record.names }),
  };
  const edges = record.edges.map(({ type, targetId, weight }) => [type, targetId, weight] as const);
  const rowWith = (own: RiskNode['facts']) =>
    rowOf(id, label, { facts: own as unknown as Record<string, unknown>, edges, ...beside });
  const row = rowWith(facts);
  return record.rounded === undefined ? row : { ...row, hash: rowWith(record.rounded).hash };
}

/** Combines two records of one source with one id: the first takes precedence, the second adds facts that it lacks. */
export function combineRows(first: RecordRow, second: RecordRow): RecordRow {
  if (first.label !== second.label) return first;
  const [held, added] = [JSON.parse(first.body) as Body, JSON.parse(second.body) as Body];
  const known = new Set(held.edges.map(([type, target]) => `${type} ${target}`));
  return rowOf(first.id, first.label, {
    ...held,
    facts: { ...added.facts, ...held.facts },
    edges: [
      ...held.edges,
      ...added.edges.filter(([type, target]) => !known.has(`${type} ${target}`)),
    ],
  });
}

function rowOf(id: string, label: string, { edges, ...rest }: Body): RecordRow {
  const sorted = [...edges].sort(byTypeAndTarget);
  const body = JSON.stringify({ ...rest, edges: sorted }, inOrder);
  const safeId = storable(id);
  return { id: safeId, label, body, hash: shortHash(`${label} ${body}`) };
}

function byTypeAndTarget(a: Body['edges'][number], b: Body['edges'][number]): number {
  const [left, right] = [`${a[0]} ${a[1]}`, `${b[0]} ${b[1]}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Sorts the keys of objects. Undefined, NaN, and infinite values are not facts. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function storable(text: string): string {
  return text.replace(/\0/g, '').replace(/\p{Surrogate}/gu, '\ufffd');
}
