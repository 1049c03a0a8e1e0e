import { protocolSlug, slugOf } from '../../domain/risk/aliases.ts';
import type { Incident } from '../../domain/risk/graph.ts';
import { protocolId } from '../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { type Fields, readFields } from './defillama/fields.ts';
import { isObject, type MapContext, type Mapped } from './defillama/item.ts';
import type { RiskList } from './list.ts';

/** A larger returned share counts as everything, because both amounts are rounded. */
const FULLY = 0.95;

export const hackList: RiskList = {
  name: 'hacks',
  order: 5,
  documents: [
    {
      words: 'hacks',
      isItem: (has) => has('date') && (has('technique') || has('classification')),
      fileName: /hacks/i,
    },
  ],
  map: (value, _, context) => mapHack(value, context),
  join: joinIncidents,
  whenBroken: 'adds',
};

/** One hack of `/hacks`. Its protocol is found by id, by its parent's id, or by name. */
function mapHack(value: unknown, context: MapContext): Mapped {
  if (!isObject(value)) return { skip: 'it is not an object' };
  const fields = readFields(value, context.now, context.note);
  const name = fields.name('name');
  if (name === undefined) return { skip: 'it has no name' };
  const at = fields.time('date');
  if (at === undefined) return { skip: 'it has no date' };
  const slug = slugOfHack(fields, name, context);
  if (slug === undefined) return { skip: 'no protocol of that id or name is known' };
  const incidents = [{ at, ...lossOf(fields) }];
  const node = {
    id: protocolId(slug),
    label: 'Protocol',
    facts: { name, slug, incidents },
  } as const;
  return { records: [{ node, edges: [] }] };
}

function slugOfHack(
  fields: Fields,
  name: string,
  { names, known }: MapContext,
): string | undefined {
  const byId = ['defillamaId', 'parentProtocolId'].map((field) =>
    names.protocolById.get(fields.text(field) ?? ''),
  );
  return [...byId, protocolSlug(name), slugOf(name)].find(
    (slug) =>
      slug !== undefined &&
      slug !== '' &&
      (names.protocols.has(slug) || known.has(protocolId(slug))),
  );
}

function lossOf(fields: Fields): Omit<Incident, 'at'> {
  const lossUsd = fields.amount('amount');
  const returned = fields.amount('returnedFunds');
  const what = fields.text('technique') ?? fields.text('classification');
  const repaid = lossUsd !== undefined && lossUsd > 0 && returned !== undefined;
  return {
    ...(lossUsd !== undefined && { lossUsd }),
    ...(repaid && { repaid: returned >= lossUsd * FULLY }),
    ...(what !== undefined && { what }),
  };
}

/** Joins the hacks of one protocol into one record, oldest first. Equal entries count once. */
function joinIncidents(first: RiskRecord, second: RiskRecord): RiskRecord {
  const { node } = first;
  if (node.label !== 'Protocol') return first;
  const incidentsByText = new Map<string, Incident>();
  for (const incident of [...incidentsOf(first), ...incidentsOf(second)])
    incidentsByText.set(JSON.stringify(incident), incident);
  const incidents = [...incidentsByText.values()].sort((a, b) => a.at - b.at);
  return { ...first, node: { ...node, facts: { ...node.facts, incidents } } };
}

function incidentsOf({ node }: RiskRecord): readonly Incident[] {
  return node.label === 'Protocol' ? (node.facts.incidents ?? []) : [];
}
