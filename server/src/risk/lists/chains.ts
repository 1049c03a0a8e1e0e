import { chainSlug } from '../../domain/risk/aliases.ts';
import type { ChainFacts } from '../../domain/risk/graph.ts';
import { chainNodeId } from '../../domain/risk/nodeId.ts';
import { chainByName, edge } from './defillama/edge.ts';
import { readFields } from './defillama/fields.ts';
import { isObject, type MapContext, type Mapped } from './defillama/item.ts';
import type { RiskList } from './list.ts';

/** Relations to a parent chain that orders or secures a chain's transactions. */
const SETTLING = new Set(['L2', 'L3', 'parachain', 'emulator']);

export const chainList: RiskList = {
  name: 'chains',
  order: 1,
  documents: [
    {
      words: 'chains',
      isItem: (has, { key }) =>
        has('name', 'tokenSymbol') ||
        (key !== undefined && (has('geckoId') || has('cmcId') || has('chainId'))),
      fileName: /chains/i,
    },
  ],
  map: mapChain,
  whenBroken: 'adds and changes',
};

/** One chain of `/v2/chains`, or of the list that is an object by name. */
function mapChain(value: unknown, key: string | undefined, context: MapContext): Mapped {
  if (!isObject(value)) return { skip: 'it is not an object' };
  const { now, note } = context;
  const fields = readFields(key === undefined ? value : { ...value, name: key }, now, note);
  const name = fields.name('name');
  if (name === undefined) return { skip: 'it has no name' };
  const slug = chainSlug(name);
  if (slug === '') return { skip: 'its name holds no letter' };
  const id = chainNodeId(slug);
  const parent = parentOf(value.parent, context);
  const settlesTo = parent?.settles ? chainSlug(parent.name) : undefined;
  if (settlesTo === slug) note('it settles to itself, which is left out', name);
  const settles = settlesTo !== undefined && settlesTo !== slug && settlesTo !== '';
  const chainId = chainIdOf(fields.number('chainId') ?? fields.number('chainid'), context);
  const symbol = fields.symbol('symbol') ?? fields.symbol('tokenSymbol');
  const tvlUsd = fields.amount('tvl');
  const url = fields.url('url');
  const kind = kindOf(fields.texts('categories'), parent);
  const facts: ChainFacts = {
    name,
    slug,
    ...(chainId !== undefined && { chainId }),
    ...(symbol !== undefined && { symbol }),
    ...(kind !== undefined && { kind }),
    ...(settles && { settlesTo }),
    ...(tvlUsd !== undefined && { tvlUsd }),
    ...(isDead(fields, name) && { dead: true }),
    ...(url !== undefined && { url }),
  };
  return {
    records: [
      {
        node: { id, label: 'Chain', facts },
        edges: settles ? [edge('SETTLES_TO', id, chainNodeId(settlesTo))] : [],
      },
    ],
    ...(settles && parent && { spokenOf: [chainByName(parent.name)] }),
  };
}

function parentOf(value: unknown, { now, note }: MapContext) {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    note('its parent is not an object');
    return undefined;
  }
  const fields = readFields(value, now, note);
  const name = fields.name('chain');
  if (name === undefined) return undefined;
  const types = fields.texts('types');
  const rollup = types.includes('L2') || types.includes('L3');
  return { name, rollup, settles: types.some((type) => SETTLING.has(type)) };
}

/** Without categories and a parent, the kind of chain is unknown. */
function kindOf(
  categories: readonly string[],
  parent: { rollup: boolean } | undefined,
): ChainFacts['kind'] {
  if (parent?.rollup || categories.includes('Rollup')) return 'rollup';
  if (parent !== undefined || categories.some((each) => /sidechain|parachain/i.test(each))) {
    return 'other';
  }
  return categories.length > 0 ? 'base-layer' : undefined;
}

function chainIdOf(id: number | undefined, { note }: MapContext): number | undefined {
  if (id === undefined || (Number.isSafeInteger(id) && id > 0)) return id;
  note('its chain id is no whole number above zero', String(id));
  return undefined;
}

function isDead(fields: ReturnType<typeof readFields>, name: string): boolean {
  return fields.flag('deadUrl') === true || fields.has('deadFrom') || /\(deprecated\)/i.test(name);
}
