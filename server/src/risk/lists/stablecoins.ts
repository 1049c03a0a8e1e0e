import { protocolSlug, slugOf } from '../../domain/risk/aliases.ts';
import type { AssetFacts } from '../../domain/risk/graph.ts';
import { assetId, chainNodeId, protocolId } from '../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { chainByName, edge } from './defillama/edge.ts';
import { type Fields, readFields } from './defillama/fields.ts';
import { isObject, type MapContext, type Mapped } from './defillama/item.ts';
import { homesOf } from './defillama/stablecoinHomes.ts';
import type { RiskList } from './list.ts';

const KINDS: Readonly<Record<string, AssetFacts['kind']>> = {
  'fiat-backed': 'fiat-backed',
  'crypto-backed': 'crypto-backed',
  // A misspelling in one of the lists.
  'crytpo-backed': 'crypto-backed',
  algorithmic: 'algorithmic',
};

export const stablecoinList: RiskList = {
  name: 'stablecoins',
  order: 3,
  documents: [
    {
      words: 'stablecoins',
      isItem: (has) => has('pegType'),
      fileName: /stablecoins|pegged/i,
    },
  ],
  map: (value, _, context) => mapStablecoin(value, context),
  whenBroken: 'adds and changes',
};

/** One stablecoin of `/stablecoins`: a node on each chain where its address is known. */
function mapStablecoin(value: unknown, context: MapContext): Mapped {
  if (!isObject(value)) return { skip: 'it is not an object' };
  const { now, note } = context;
  const fields = readFields(value, now, note);
  const name = fields.name('name');
  if (name === undefined) return { skip: 'it has no name' };
  const homes = homesOf(value, fields, note);
  const first = homes.find((home) => !home.bridged) ?? homes[0];
  if (first === undefined) return { skip: 'neither an address nor a chain of it is known' };
  const facts = factsOf(name, value, fields, context);
  const issuer = issuerOf(facts, fields, context);
  const homeId = assetId(first.chain, first.key);
  const records = homes.map((home): RiskRecord => {
    const id = assetId(home.chain, home.key);
    const bridged = home.bridged && id !== homeId;
    const { kind: _, ...shared } = facts;
    return {
      node: {
        id,
        label: 'Asset',
        facts: {
          ...(bridged ? { ...shared, kind: 'wrapped' as const } : facts),
          chain: home.chain,
          ...(home.isAddress ? { address: home.key } : { uniqueKey: home.key }),
        },
      },
      edges: [
        edge('LIVES_ON', id, chainNodeId(home.chain)),
        // A bridged coin depends on the coin that was bridged.
        ...(bridged ? [edge('IS_COLLATERALIZED_BY', id, homeId)] : []),
        ...(issuer !== undefined && !bridged ? [edge('ISSUED_BY', id, protocolId(issuer))] : []),
      ],
    };
  });
  return { records: unique(records), spokenOf: homes.map((home) => chainByName(home.chainName)) };
}

function factsOf(
  name: string,
  value: Record<string, unknown>,
  fields: Fields,
  context: MapContext,
): AssetFacts {
  const symbol = fields.symbol('symbol');
  const mechanism = fields.text('pegMechanism');
  const kind = mechanism === undefined ? undefined : KINDS[mechanism.toLowerCase()];
  if (mechanism !== undefined && kind === undefined) {
    context.note('its peg mechanism is unknown', mechanism);
  }
  const peg = fields.text('pegType')?.replace(/^pegged/, '');
  const priceUsd = fields.amount('price');
  const marketCapUsd = fields.amount('marketcapUSD') ?? marketCap(value, fields, priceUsd);
  const url = fields.url('url');
  const ended = fields.time('deadFrom');
  const dead =
    (ended !== undefined && ended <= context.now) ||
    ['deadUrl', 'delisted', 'deprecated'].some((field) => fields.flag(field) === true);
  return {
    name,
    ...(symbol !== undefined && { symbol }),
    ...(kind !== undefined && { kind }),
    ...(peg !== undefined && peg !== 'VAR' && { peg }),
    ...(priceUsd !== undefined && { priceUsd }),
    // The list has prices in dollars only, so deviations from other pegs are unknown.
    ...(priceUsd !== undefined && peg === 'USD' && { pegDeviation: distance(priceUsd) }),
    ...(marketCapUsd !== undefined && { marketCapUsd }),
    ...(isAttested(fields) && { attested: true }),
    ...(dead && { dead }),
    ...(url !== undefined && { url }),
  };
}

/** Distance from one dollar, rounded to a nano-dollar: prices have no more digits, but subtraction adds some. */
function distance(priceUsd: number): number {
  return Math.round(Math.abs(priceUsd - 1) * 1e9) / 1e9;
}

/** The list counts supply in units of the peg. */
function marketCap(
  value: Record<string, unknown>,
  fields: Fields,
  price: number | undefined,
): number | undefined {
  const pegType = fields.text('pegType');
  if (!isObject(value.circulating) || pegType === undefined) return undefined;
  const units = readFields(value.circulating, 0, () => {}).amount(pegType);
  if (units === undefined) return undefined;
  if (price !== undefined) return units * price;
  return pegType === 'peggedUSD' ? units : undefined;
}

function isAttested(fields: Fields): boolean {
  return [...fields.texts('auditLinks'), ...fields.texts('audit_links')].some((link) =>
    /^https?:\/\//i.test(link),
  );
}

function issuerOf(
  { name, kind }: AssetFacts,
  fields: Fields,
  { names, known }: MapContext,
): string | undefined {
  const coin = fields.text('gecko_id') ?? '';
  const byProtocol = names.issuerByGeckoId.get(coin);
  if (byProtocol !== undefined) return byProtocol;
  // A bridge that mints a coin holds tokens for it. A bridge that names a fiat-backed coin only transports it for the
  // issuer.
  const byBridge = kind === 'fiat-backed' ? undefined : names.carrierByGeckoId.get(coin);
  if (byBridge !== undefined) return byBridge;
  return [protocolSlug(name), slugOf(name)].find(
    (slug) => slug !== '' && (names.protocols.has(slug) || known.has(protocolId(slug))),
  );
}

function unique(records: readonly RiskRecord[]): RiskRecord[] {
  return [
    ...new Map([...records].reverse().map((each) => [each.node.id, each])).values(),
  ].reverse();
}
