import { type FieldPlace, FLOW_FIELDS, type FlowField, type RatedFlow } from './description.ts';
import type { RatedParts } from './merge.ts';
import type { Reading } from './resolve.ts';
import { type Field, NO_EVENT, parseEvent } from './signature.ts';

type FlowFile = NonNullable<RatedParts['flows']>[number];

/** The allowed types of each field. */
const TYPES: Readonly<Record<FlowField, RegExp>> = {
  owner: /^address$/,
  receiver: /^address$/,
  asset: /^address$/,
  shares: /^uint\d*$/,
  assets: /^uint\d*$/,
  fee: /^uint\d*$/,
  assetsFee: /^uint\d*$/,
  id: /^(uint\d*|bytes32)$/,
  idFrom: /^uint\d*$/,
  idTo: /^uint\d*$/,
};

/** Returns undefined if it has a problem, which was reported. */
export function readFlow(flow: FlowFile, key: string, reading: Reading): RatedFlow | undefined {
  const contract = reading.contract(flow.contract ?? 'share', `${key}.contract`);
  const event = parseEvent(flow.event);
  if (event === undefined) return reading.fail(`${key}.event`, NO_EVENT);
  const fields: Partial<Record<FlowField, FieldPlace>> = {};
  for (const name of FLOW_FIELDS as readonly FlowField[]) {
    const named = flow[name];
    if (named === undefined) continue;
    const found = event.fields.find((field) => field.name === named);
    const isList = name === 'id' && found !== undefined && isListOfIds(flow.action, found);
    if (found === undefined || !(isList || TYPES[name].test(found.type))) {
      return reading.fail(`${key}.${name}`, wrongField(named, found, event.fields, name));
    }
    fields[name] = isList ? { ...(found.place as { word: number }), list: true } : found.place;
  }
  const missing = whatIsMissing(flow.action, fields);
  if (missing !== undefined) return reading.fail(key, missing);
  return contract && { action: flow.action, contract, ...event.layout, fields };
}

/** Events that end requests may list the numbers of several. */
function isListOfIds(action: FlowFile['action'], { type, place }: Field): boolean {
  const ends = ['cancel', 'settle', 'claim'].includes(action);
  return ends && 'word' in place && /^(uint\d*|bytes32)\[\]$/.test(type);
}

function wrongField(
  named: string,
  found: Field | undefined,
  fields: readonly Field[],
  name: FlowField,
): string {
  if (found !== undefined) {
    return `is the field ${named} of type ${found.type}, which cannot be ${name}; name another`;
  }
  const known = fields.map((field) => field.name).filter((one) => one !== '');
  if (known.length === 0) return 'names a field, but the event has none; name its fields';
  return `is not a field of the event; it has ${known.join(', ')}`;
}

function whatIsMissing(
  action: FlowFile['action'],
  fields: Partial<Record<FlowField, FieldPlace>>,
): string | undefined {
  const { owner, receiver, shares, assets, fee, assetsFee, id, idFrom, idTo } = fields;
  if (fee !== undefined && (shares === undefined || !['exit', 'request'].includes(action))) {
    return 'has a fee in shares, which is for an exit or a request with shares';
  }
  if (assetsFee !== undefined && (assets === undefined || !['exit', 'request'].includes(action))) {
    return 'has a fee in assets, which is for an exit or a request with assets';
  }
  if (action === 'move') {
    const isWhole = id !== undefined && idTo !== undefined && idFrom === undefined;
    return isWhole ? undefined : 'needs id and idTo, the number before and after the move';
  }
  if ((idFrom === undefined) !== (idTo === undefined)) return 'needs both idFrom and idTo';
  if (idFrom !== undefined && (action !== 'settle' || id !== undefined)) {
    return 'has a range of numbers, which is for settle alone, instead of id';
  }
  const who = owner ?? receiver;
  switch (action) {
    case 'deposit':
    case 'exit':
      if (shares === undefined && assets === undefined) return 'needs shares or assets';
      return who === undefined && shares === undefined ? 'needs owner or shares' : undefined;
    case 'request':
      return who === undefined || shares === undefined ? 'needs owner and shares' : undefined;
    case 'settle':
      return id === undefined && idFrom === undefined && who === undefined
        ? 'needs id, idFrom and idTo, or owner'
        : undefined;
    default:
      return id === undefined && who === undefined ? 'needs id or owner' : undefined;
  }
}
