import { chainSlug, oracleSlug, protocolSlug, slugOf } from '../../domain/risk/aliases.ts';
import type { Audits, ProtocolFacts, RiskEdge } from '../../domain/risk/graph.ts';
import { chainNodeId, protocolId } from '../../domain/risk/nodeId.ts';
import type { RecordNames } from '../../domain/risk/record.ts';
import { chainByName, edge } from './defillama/edge.ts';
import { type Fields, readFields } from './defillama/fields.ts';
import { addNames, isObject, type MapContext, type Mapped } from './defillama/item.ts';
import type { RiskList } from './list.ts';

/** The minimum weight of an edge to a chain, so that a dependency without funds stays visible. */
const MIN_SHARE = 0.001;
/** An oracle prices only a part of a protocol. */
const ORACLE_WEIGHT = 0.25;
/** Uses of an oracle on which no loan or position depends. */
const UNPRICED_USES = new Set(['RNG', 'PoR']);

/** Tags that identify the kind of an exchange if the list has no category for it; the most specific first. */
const EXCHANGE_TAGS = [
  ...['StableSwap', 've(3,3)', 'CLMM', 'DLMM', 'Order Book', 'Weighted Pool AMM'],
  ...['Hook-based AMM', 'Prop AMM', 'AMM', 'RFQ'],
];
const RWA_TAGS =
  /treasury bills|private credit|commodities|fixed income|real estate|stocks|money market|private equity|carbon|equity|collectibles/i;

export const protocolList: RiskList = {
  name: 'protocols',
  order: 2,
  documents: [
    {
      words: 'protocols',
      isItem: (has, { id }) =>
        has('id', 'name') &&
        (has('category') || has('audits') || has('chains')) &&
        !(isParent(id) || has('pegType') || has('date')),
      fileName: /^(?!.*parent).*protocols/i,
    },
    { words: 'parent protocols', isItem: (_, { id }) => isParent(id), fileName: /parent/i },
  ],
  learn: (context) => (value) => learnProtocol(value, context),
  map: (value, _, context) => mapProtocol(value, context),
  whenBroken: 'adds and changes',
};

function isParent(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('parent#');
}

/** One protocol of `/protocols`, or a parent of several (`parent#…`). */
function mapProtocol(value: unknown, context: MapContext): Mapped {
  if (!isObject(value)) return { skip: 'it is not an object' };
  const { now, note } = context;
  const fields = readFields(value, now, note);
  const name = fields.name('name');
  if (name === undefined) return { skip: 'it has no name' };
  const slug = protocolSlugOf(fields, name);
  if (slug === '') return { skip: 'its name holds no letter' };
  const id = protocolId(slug);
  const chains = fields.texts('chains').filter((chain) => !NO_CHAIN.has(chainSlug(chain)));
  const shares = chainShares(chains, value.chainTvls);
  const oracles = oraclesOf(fields, value, context);
  const facts: ProtocolFacts = {
    name,
    slug,
    ...defined({
      symbol: fields.symbol('symbol'),
      // The list's marker for none.
      hasToken: fields.text('symbol') === '-' ? false : undefined,
      category: categoryOf(fields),
      chains: shares.size > 0 ? [...shares.keys()] : undefined,
      tvlUsd: fields.amount('tvl'),
      marketCapUsd: fields.amount('mcap'),
      listedAt: fields.time('listedAt'),
      audits: auditsOf(fields, context),
      forkOf: forkOf(fields, context, slug),
      oracles: oracles.length > 0 ? oracles : undefined,
      parent: parentOf(fields, slug),
      url: fields.url('url'),
      hasGovernance: fields.texts('governanceID').length > 0 || undefined,
      hasTreasury: fields.has('treasury') || undefined,
      openSource: fields.flag('openSource'),
      ...endings(fields, context),
    }),
  };
  const edges: RiskEdge[] = [
    ...[...shares].map(([chain, share]) => edge('LIVES_ON', id, chainNodeId(chain), share)),
    ...oracles
      .filter((oracle) => oracle !== slug && isKnownProtocol(oracle, context))
      .map((oracle) => edge('PRICED_BY', id, protocolId(oracle), ORACLE_WEIGHT)),
  ];
  return {
    records: [{ node: { id, label: 'Protocol', facts }, edges, ...namesOf(slug, context) }],
    spokenOf: chains.map(chainByName),
  };
}

/** Names in the list that are not chains. */
const NO_CHAIN = new Set(['', 'off-chain']);

/** The slug that other lists use for the item. */
function protocolSlugOf(fields: Pick<Fields, 'text'>, name: string): string {
  const sourceId = fields.text('id');
  if (sourceId?.startsWith('parent#')) return slugOf(sourceId.slice('parent#'.length));
  return protocolSlug(fields.text('slug') ?? name);
}

/** Collects what later items and lists need from this one. */
function learnProtocol(value: unknown, context: MapContext): void {
  if (!isObject(value)) return;
  const fields = readFields(value, context.now, () => {});
  const name = fields.text('name');
  if (name === undefined) return;
  const slug = protocolSlugOf(fields, name);
  if (slug === '') return;
  const sourceId = fields.text('id');
  const coins = fields.texts('stablecoins');
  const isBridge = /\bbridge/i.test(fields.text('category') ?? '');
  addNames(context.names, slug, {
    ids: sourceId === undefined ? [] : [sourceId],
    issues: isBridge ? [] : coins,
    carries: isBridge ? coins : [],
    concentrated: fields.texts('tags').some((tag) => /CLMM|DLMM/.test(tag)),
  });
}

/** The facts stored for lists that are read later; only those that exist. */
function namesOf(slug: string, { names }: MapContext): { names?: RecordNames } {
  const found = names.ofProtocol.get(slug);
  if (found === undefined) return {};
  const { ids, issues, carries, concentrated } = found;
  const kept: RecordNames = {
    ...(ids.length > 0 && { ids }),
    ...(issues.length > 0 && { issues }),
    ...(carries.length > 0 && { carries }),
    ...(concentrated && { concentrated }),
  };
  return Object.keys(kept).length > 0 ? { names: kept } : {};
}

/** Returns each chain's funds if the list has any; equal parts otherwise. */
function chainShares(chains: readonly string[], tvls: unknown): Map<string, number> {
  const found = new Map<string, number>(chains.map((chain) => [chainSlug(chain), 0]));
  for (const [name, tvl] of isObject(tvls) ? Object.entries(tvls) : []) {
    const slug = chainSlug(name);
    const held = found.get(slug);
    // Parts such as Ethereum-borrowed or staking are not chains.
    if (held === undefined || typeof tvl !== 'number' || !(tvl > 0)) continue;
    found.set(slug, Math.max(held, tvl));
  }
  const total = [...found.values()].reduce((sum, tvl) => sum + tvl, 0);
  const finite = total > 0 && Number.isFinite(total);
  for (const [chain, tvl] of found) {
    found.set(chain, finite ? Math.max(MIN_SHARE, tvl / total) : 1 / found.size);
  }
  return found;
}

function categoryOf(fields: Fields): string | undefined {
  const category = fields.text('category');
  if (category !== undefined) return category;
  const tags = fields.texts('tags');
  const exchange = EXCHANGE_TAGS.find((tag) => tags.includes(tag));
  if (exchange !== undefined) return exchange;
  return tags.some((tag) => RWA_TAGS.test(tag)) ? 'RWA' : tags[0];
}

/** 0: none, 1: partial, 2: audited, 3: only the code it was forked from. Linked reports count too. */
function auditsOf(fields: Fields, { note }: MapContext): Audits | undefined {
  const code = fields.text('audits');
  const reports = fields.texts('audit_links').length;
  if (code === '1' || code === '3') return { status: 'partial' };
  if (reports > 0) return { status: 'reports', reports };
  if (code === '2') return { status: 'claimed' };
  if (code === '0') return { status: 'none-recorded' };
  if (code !== undefined) note('its audits code is unknown', code);
  return undefined;
}

function forkOf(fields: Fields, { names, note }: MapContext, slug: string): string[] | undefined {
  const forks = [...fields.texts('forkedFromIds'), ...fields.texts('forkedFrom')].flatMap(
    (each) => {
      const found = names.protocolById.get(each) ?? (/^\d+$/.test(each) ? '' : protocolSlug(each));
      if (found === '') note('it is forked from an unknown id', each);
      return found === '' || found === slug ? [] : [found];
    },
  );
  return forks.length > 0 ? [...new Set(forks)] : undefined;
}

function oraclesOf(fields: Fields, value: Record<string, unknown>, context: MapContext): string[] {
  const { oraclesBreakdown, oraclesByChain } = value;
  const used = (Array.isArray(oraclesBreakdown) ? oraclesBreakdown : []).flatMap(
    (each: unknown) => {
      if (!isObject(each) || UNPRICED_USES.has(String(each.type))) return [];
      return readFields(each, context.now, context.note).text('name') ?? [];
    },
  );
  const byChain = isObject(oraclesByChain)
    ? Object.keys(oraclesByChain).flatMap((chain) =>
        readFields(oraclesByChain, context.now, () => {}).texts(chain),
      )
    : [];
  const named = [...fields.texts('oracles'), ...used, ...byChain].map(oracleSlug);
  return [...new Set(named)].filter((oracle) => oracle !== '');
}

function isKnownProtocol(slug: string, { names, known }: MapContext): boolean {
  return names.protocols.has(slug) || known.has(protocolId(slug));
}

function parentOf(fields: Fields, slug: string): string | undefined {
  const parent = fields.text('parentProtocol');
  if (parent === undefined) return undefined;
  const found = slugOf(parent.replace(/^parent#/, ''));
  return found === '' || found === slug ? undefined : found;
}

/** How a protocol ended, in every spelling of the lists; an end in the future does not count yet. */
function endings(fields: Fields, { now, note }: MapContext): Partial<ProtocolFacts> {
  if (fields.has('disabled')) note('its source disabled it', fields.text('disabled', 500));
  const ends = ['deadFrom', 'deadSince'].map((field) => fields.time(field));
  const dead =
    ends.some((end) => end !== undefined && end <= now) ||
    fields.flag('deadUrl') === true ||
    fields.flag('dead') === true;
  const rugged = fields.flag('rugged') ?? fields.flag('isRugged');
  const deprecated = fields.flag('deprecated') === true || fields.flag('delisted') === true;
  return {
    ...(rugged === true && { rugged }),
    ...(dead && { dead }),
    ...(deprecated && { deprecated }),
  };
}

function defined<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
