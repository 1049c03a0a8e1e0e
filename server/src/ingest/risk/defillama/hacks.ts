import { protocolSlug, slugOf } from '../../../domain/risk/aliases.ts';
import type { Incident } from '../../../domain/risk/graph.ts';
import { protocolId } from '../../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../../domain/risk/record.ts';
import { readFields } from './fields.ts';
import { isObject, type MapContext } from './item.ts';

export type MappedHack =
  | { readonly slug: string; readonly name: string; readonly incident: Incident }
  | { readonly skip: string };

/** What came back counts as all of it from here on: figures of both are rounded. */
const FULLY = 0.95;

/** One hack of `/hacks`, on a protocol that is known. */
export function mapHack(value: unknown, context: MapContext): MappedHack {
  if (!isObject(value)) return { skip: 'it is not an object' };
  const { now, note, names, known } = context;
  const fields = readFields(value, now, note);
  const name = fields.name('name');
  if (name === undefined) return { skip: 'it has no name' };
  const at = fields.time('date');
  if (at === undefined) return { skip: 'it has no date' };
  const sourceId = fields.text('defillamaId');
  const byId = sourceId === undefined ? undefined : names.protocolById.get(sourceId);
  const slug = [byId, protocolSlug(name), slugOf(name)].find(
    (each) => each !== undefined && each !== '' && isKnown(each),
  );
  if (slug === undefined) return { skip: 'no protocol of that name is known' };
  const lossUsd = fields.amount('amount');
  const returned = fields.amount('returnedFunds');
  const what = fields.text('technique') ?? fields.text('classification');
  const repaid = lossUsd !== undefined && lossUsd > 0 && returned !== undefined;
  return {
    slug,
    name,
    incident: {
      at,
      ...(lossUsd !== undefined && { lossUsd }),
      ...(repaid && { repaid: returned >= lossUsd * FULLY }),
      ...(what !== undefined && { what }),
    },
  };

  function isKnown(each: string): boolean {
    return names.protocols.has(each) || known.has(protocolId(each));
  }
}

/** A protocol's incidents, oldest first, as one record. */
export function incidentsRecord(
  slug: string,
  name: string,
  incidents: readonly Incident[],
): RiskRecord {
  const sorted = [...incidents].sort((a, b) => a.at - b.at);
  return {
    node: { id: protocolId(slug), label: 'Protocol', facts: { name, slug, incidents: sorted } },
    edges: [],
  };
}
