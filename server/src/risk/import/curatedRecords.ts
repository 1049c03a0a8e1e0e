import type {
  AssetFacts,
  Audits,
  ChainFacts,
  PoolFacts,
  ProtocolFacts,
  RiskEdge,
  Upgrades,
} from '../../domain/risk/graph.ts';
import { assetId, chainNodeId, poolId, protocolId } from '../../domain/risk/nodeId.ts';
import { edge } from '../lists/defillama/edge.ts';
import type { Citation, CuratedRecord } from './curated.ts';
import type { CuratedAsset, CuratedChain, CuratedPool, CuratedProtocol } from './curatedSchema.ts';

type Fail = (path: readonly (string | number)[], message: string) => void;

const ORACLE_WEIGHT = 0.25;
const HOUR = 3600;

export function chainRecord({ slug, name, facts }: CuratedChain, fail: Fail): CuratedRecord {
  const { found, citations } = collect(facts, fail);
  const id = chainNodeId(slug);
  const { settlesTo } = found;
  if (settlesTo === slug) fail([], 'settles to itself; name the chain that secures it');
  const edges = settlesTo ? [edge('SETTLES_TO', id, chainNodeId(settlesTo))] : [];
  // The schema limits numbers to those of the type.
  return {
    node: { id, label: 'Chain', facts: { name, slug, ...found } as ChainFacts },
    edges,
    citations,
  };
}

export function protocolRecord({ slug, name, facts }: CuratedProtocol, fail: Fail): CuratedRecord {
  const { found, citations } = collect(facts, fail);
  const { launched, audits, upgrades, incidents, ...plain } = found;
  const id = protocolId(slug);
  const read: ProtocolFacts = {
    name,
    slug,
    ...plain,
    ...(launched && { listedAt: seconds(launched, fail) }),
    ...(audits && { audits: auditsOf(audits, fail) }),
    ...(upgrades && { upgrades: upgradesOf(upgrades, fail) }),
    ...(incidents && {
      incidents: incidents.map(({ day, ...rest }) => ({ at: seconds(day, fail), ...rest })),
    }),
  };
  const { chains = [], oracles = [] } = found;
  const edges = [
    ...chains.map((chain) => edge('LIVES_ON', id, chainNodeId(chain), 1 / chains.length)),
    ...oracles.map((oracle) => edge('PRICED_BY', id, protocolId(oracle), ORACLE_WEIGHT)),
  ];
  return { node: { id, label: 'Protocol', facts: read }, edges: others(edges, fail), citations };
}

export function assetRecord(entry: CuratedAsset, fail: Fail): CuratedRecord {
  const { chain, name } = entry;
  const address = entry.address.startsWith('0x') ? entry.address.toLowerCase() : entry.address;
  const { found, citations } = collect(entry.facts, fail);
  const { issuedBy, collateral = [], ...plain } = found;
  const id = assetId(chain, address);
  const facts: AssetFacts = { name, chain, address, ...plain };
  const edges = [
    edge('LIVES_ON', id, chainNodeId(chain)),
    ...(issuedBy ? [edge('ISSUED_BY', id, protocolId(issuedBy))] : []),
    ...backing(id, collateral, fail),
  ];
  return { node: { id, label: 'Asset', facts }, edges: others(edges, fail), citations };
}

export function poolRecord({ chain, key, name, facts }: CuratedPool, fail: Fail): CuratedRecord {
  const { found, citations } = collect(facts, fail);
  const { deposits = [], collateral = [], allocates = [], pricedBy = [], ...plain } = found;
  const id = poolId(chain, key);
  const isAddress = /^0x[0-9a-f]{40}$/i.test(key);
  const read: PoolFacts = {
    name,
    chain,
    ...(isAddress ? { address: key.toLowerCase() } : { uniqueKey: key }),
    ...plain,
  };
  const edges = [
    edge('LIVES_ON', id, chainNodeId(chain)),
    ...(found.protocol ? [edge('OPERATED_BY', id, protocolId(found.protocol))] : []),
    ...deposits.map((each) => edge('ACCEPTS_DEPOSITS_IN', id, `asset:${each}`.toLowerCase())),
    ...backing(id, collateral, fail),
    ...allocates.map((each) =>
      edge('ALLOCATES', id, `pool:${each.pool}`.toLowerCase(), each.share),
    ),
    ...pricedBy.map((oracle) => edge('PRICED_BY', id, protocolId(oracle), ORACLE_WEIGHT)),
  ];
  return { node: { id, label: 'Pool', facts: read }, edges: others(edges, fail), citations };
}

/** Combines the facts of all blocks, each with its citation; a fact that appears twice is a mistake. */
function collect<Block extends { source: string; date: string }>(
  blocks: readonly Block[],
  fail: Fail,
): { found: Omit<Block, 'source' | 'date'>; citations: Record<string, Citation> } {
  const found: Record<string, unknown> = {};
  const citations: Record<string, Citation> = {};
  for (const [index, { source, date, ...facts }] of blocks.entries()) {
    seconds(date, (_, message) => fail(['facts', index, 'date'], message));
    for (const [fact, value] of Object.entries(facts)) {
      if (Object.hasOwn(found, fact)) {
        fail(['facts', index, fact], 'is given twice; keep one of the two');
      }
      found[fact] = value;
      citations[fact] = { source, date };
    }
    if (Object.keys(facts).length === 0)
      fail(['facts', index], 'holds no fact; add one or remove it');
  }
  return { found: found as Omit<Block, 'source' | 'date'>, citations };
}

function auditsOf(read: { status: Audits['status']; reports?: number }, fail: Fail): Audits {
  const { status, reports } = read;
  if (status === 'reports' && reports === undefined)
    fail([], 'has audits without their number; add reports');
  if (status !== 'reports' && reports !== undefined)
    fail([], 'has reports, so its audits status is reports');
  return status === 'reports' ? { status, reports: reports ?? 1 } : { status };
}

function upgradesOf(read: { by: Upgrades['by']; delay?: string }, fail: Fail): Upgrades {
  const { by, delay } = read;
  if ((by === 'timelock') !== (delay !== undefined)) {
    fail([], 'has upgrades whose delay does not fit: a timelock has one, others have none');
  }
  if (by !== 'timelock') return { by };
  const hours = Number.parseFloat(delay ?? '0') * (delay?.endsWith('d') ? 24 : 1);
  return { by, delaySeconds: Math.round(hours * HOUR) };
}

function backing(
  id: string,
  collateral: readonly { asset: string; share: number }[],
  fail: Fail,
): RiskEdge[] {
  const total = collateral.reduce((sum, { share }) => sum + share, 0);
  if (total > 1.000001) fail([], 'has collateral whose shares add up to more than 1');
  return collateral.map(({ asset, share }) =>
    edge('IS_COLLATERALIZED_BY', id, `asset:${asset}`.toLowerCase(), share),
  );
}

function others(edges: readonly RiskEdge[], fail: Fail): readonly RiskEdge[] {
  if (edges.some(({ sourceId, targetId }) => sourceId === targetId)) fail([], 'depends on itself');
  return edges;
}

/** Midnight UTC of an existing day. */
function seconds(day: string, fail: Fail): number {
  const at = Date.parse(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
  if (!exists) fail([], `there is no day ${day}`);
  return exists ? at / 1000 : 0;
}
