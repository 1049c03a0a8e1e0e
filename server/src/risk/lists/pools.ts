import { chainSlug, protocolSlug } from '../../domain/risk/aliases.ts';
import type { PoolFacts, RiskEdge } from '../../domain/risk/graph.ts';
import { assetId, chainNodeId, poolId, protocolId } from '../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { chainByName, edge } from './defillama/edge.ts';
import { type Fields, readFields } from './defillama/fields.ts';
import { isObject, type MapContext, type Mapped } from './defillama/item.ts';
import { assetsOf, symbolLegs } from './defillama/legs.ts';
import { tokenAddress, tokenByAddress } from './defillama/tokens.ts';
import type { RiskList } from './list.ts';
import { cleanText } from './text.ts';

/** More tokens than any real pool has. */
const MAX_TOKENS = 64;
const CONCENTRATED =
  /(?:uniswap|pancakeswap|sushiswap|quickswap|camelot|thruster|shadow|nuri|ramses).*(?:v3|v4|cl)$|slipstream|clmm|dlmm|algebra/;

/** In USD; the data of the back-test has no smaller pools. */
const LARGE_POOL_USD = 7e6;
/** Higher rates are not realistic. */
const MAX_APY = 1;

const ACRONYM = /^(?:dex|amm|cl|dao|usd|eth|btc|rwa|v\d.*)$/;

export const poolList: RiskList = {
  name: 'pools',
  order: 4,
  documents: [
    { words: 'pools', isItem: (has) => has('pool', 'project'), fileName: /pools|yields/i },
  ],
  learn: learnPools,
  map: (value, _, context) => mapPool(value, context),
  sum: sumYields,
  whenBroken: 'adds and changes',
};

/** One pool of the yield list (`/pools`). */
function mapPool(value: unknown, context: MapContext): Mapped {
  if (!isObject(value)) return { skip: 'it is not an object' };
  const { now, note } = context;
  const fields = readFields(value, now, note);
  const chainName = fields.text('chain');
  if (chainName === undefined) return { skip: 'it has no chain' };
  const chain = chainSlug(chainName);
  if (chain === '') return { skip: "its chain's name holds no letter" };
  const symbol = fields.name('symbol');
  const project = fields.name('project');
  const place = placeOf(fields, chain, context);
  if (place === undefined) return { skip: 'it has neither a pool id nor an address' };
  if (symbol === undefined && project === undefined)
    return { skip: 'it has no symbol and no project' };

  const id = poolId(chain, place.address ?? place.uniqueKey!);
  const protocol = project === undefined ? '' : protocolSlug(project);
  const legs = symbolLegs(symbol ?? '');
  const tokens = tokensOf(value.underlyingTokens, context);
  const exposure = fields.text('exposure');
  const concentrated =
    legs.length > 1 && (context.names.concentrated.has(protocol) || CONCENTRATED.test(protocol));
  const meta = fields.text('poolMeta');
  const facts: PoolFacts = {
    name: poolName(project, symbol, meta),
    chain,
    ...place,
    ...optional('symbol', symbol),
    ...optional('protocol', protocol === '' ? undefined : protocol),
    ...optional('tvlUsd', fields.amount('tvlUsd')),
    ...optional('apy', fraction(fields.number('apy'))),
    ...optional('apyBase', fraction(fields.number('apyBase'))),
    ...optional('apyReward', fraction(fields.number('apyReward'))),
    ...optional('assets', assetsOf({ legs, tokens: tokens.length, exposure })),
    ...(concentrated && { concentrated }),
    ...(/\bleverag|\blooping\b/i.test(meta ?? '') && { leveraged: true }),
    ...optional('stablecoin', fields.flag('stablecoin')),
    ...optional('outlier', fields.flag('outlier')),
    ...optional('note', meta),
    ...optional('url', fields.url('url')),
  };
  const edges: RiskEdge[] = [
    edge('LIVES_ON', id, chainNodeId(chain)),
    ...(protocol === '' ? [] : [edge('OPERATED_BY', id, protocolId(protocol))]),
    ...tokens.map((token) => edge('ACCEPTS_DEPOSITS_IN', id, assetId(chain, token))),
  ];
  const lineUp = legs.length === tokens.length;
  return {
    records: [{ node: { id, label: 'Pool', facts }, edges }],
    spokenOf: [
      chainByName(chainName),
      ...(protocol === '' ? [] : [protocolByName(project!, protocol)]),
      ...tokens.flatMap((token, i) => tokenByAddress(chain, token, lineUp ? legs[i] : undefined)),
    ],
  };
}

/** Records addresses that several pools share, because they identify none of them. Equal items count once. */
function learnPools(context: MapContext): (value: unknown) => void {
  const ownIds = new Map<string, string>();
  const counted = new Set<string>();
  return (value) => {
    if (!isObject(value)) return;
    const fields = readFields(value, context.now, () => {});
    const key = `${fields.text('chain')} ${fields.text('pool')}`;
    if (!counted.has(key)) learnYield(fields, context);
    counted.add(key);
    const chain = chainSlug(fields.text('chain') ?? '');
    const address = addressOf(fields);
    if (address === undefined) return;
    const place = `${chain}:${address}`;
    const ownId = (fields.text('pool') ?? '').toLowerCase();
    const held = ownIds.get(place);
    if (held !== undefined && held !== ownId) context.names.sharedAddresses.add(place);
    ownIds.set(place, ownId);
  };
}

function learnYield(fields: Fields, { names: { poolYields } }: MapContext): void {
  const slug = protocolSlug(fields.text('project') ?? '');
  const tvlUsd = fields.amount('tvlUsd') ?? 0;
  if (slug === '' || tvlUsd < LARGE_POOL_USD) return;
  const apy = fraction(fields.number('apy')) ?? 0;
  const { heldUsd, earnedUsd } = poolYields.get(slug) ?? { heldUsd: 0, earnedUsd: 0 };
  const earned = tvlUsd * Math.min(MAX_APY, Math.max(0, apy));
  poolYields.set(slug, { heldUsd: heldUsd + tvlUsd, earnedUsd: earnedUsd + earned });
}

/**
 * The yield of a protocol's large pools is a fact of the protocol. Rounded to four digits, because yields change with
 * every block.
 */
function sumYields({ names: { poolYields } }: MapContext): RiskRecord[] {
  return [...poolYields].map(([slug, { heldUsd, earnedUsd }]) => {
    const { node, edges } = protocolByName(slug, slug);
    const poolsApy = Number((earnedUsd / heldUsd).toFixed(4));
    return { node: { ...node, facts: { ...node.facts, poolsApy } }, edges } as RiskRecord;
  });
}

function placeOf(
  fields: Fields,
  chain: string,
  { names, note }: MapContext,
): Pick<PoolFacts, 'address' | 'uniqueKey'> | undefined {
  const address = addressOf(fields);
  const uniqueKey = fields.text('pool');
  const shared = address !== undefined && names.sharedAddresses.has(`${chain}:${address}`);
  if (address !== undefined && !shared) {
    return { address, ...(uniqueKey !== undefined && { uniqueKey }) };
  }
  if (uniqueKey === undefined) return undefined;
  if (shared) note('several pools share its address; it is named by its own id', uniqueKey);
  return { uniqueKey };
}

/** `0x…`, `0x…-ethereum`, or `ethereum-0x…`, in the field of former ids or in the id. */
function addressOf(fields: Fields): string | undefined {
  for (const field of ['pool_old', 'pool']) {
    const match = /^(?:[a-z0-9_]+-)?(0x[0-9a-f]{40})(?:-[a-z0-9_ ]+)?$/i.exec(
      fields.text(field) ?? '',
    );
    if (match) return match[1]!.toLowerCase();
  }
  return undefined;
}

function tokensOf(value: unknown, { note }: MapContext): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    note('its underlying tokens are no list');
    return [];
  }
  if (value.length > MAX_TOKENS) note(`only the first ${MAX_TOKENS} of its tokens are taken`);
  const tokens = value.slice(0, MAX_TOKENS).flatMap((raw: unknown) => {
    const address = tokenAddress(raw);
    if (address === undefined) note('an underlying token is no address', String(raw));
    return address ?? [];
  });
  return [...new Set(tokens)];
}

function protocolByName(project: string, slug: string): RiskRecord {
  return {
    node: { id: protocolId(slug), label: 'Protocol', facts: { name: title(project), slug } },
    edges: [],
  };
}

function poolName(
  project: string | undefined,
  symbol: string | undefined,
  meta: string | undefined,
) {
  const name = [project && title(project), symbol].filter(Boolean).join(' ');
  return cleanText(meta === undefined ? name : `${name} (${meta})`)?.text ?? name;
}

/** uniswap-v3 → Uniswap V3 */
function title(slug: string): string {
  return slug
    .split('-')
    .map((word) =>
      ACRONYM.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
}

function fraction(percent: number | undefined): number | undefined {
  if (percent === undefined) return undefined;
  // Moves the decimal point in the text, so that 4.4 becomes exactly 0.044; a division would not.
  const text = String(percent);
  return text.includes('e') ? percent / 100 : Number(`${text}e-2`);
}

function optional<K extends string, V>(key: K, value: V | undefined): { [_ in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [_ in K]?: V });
}
