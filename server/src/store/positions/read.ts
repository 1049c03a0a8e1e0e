import type { Address } from '../../domain/hex.ts';
import type { MovementKind } from '../../domain/wallet/movement.ts';
import { EMPTY_POSITION, moved, type Position } from '../../domain/wallet/position.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { parseShares } from './sharesOn.ts';

/** A wallet's stake in one family, up to its newest movement. */
export interface Standing {
  readonly familyId: number;
  readonly slug: string;
  readonly position: Position;
}

interface Row {
  readonly familyId: number;
  readonly slug: string;
  /** Null if no movement of the wallet is folded yet. */
  readonly shares: bigint | null;
  readonly sharesOn: string | null;
  readonly cost: bigint | null;
  readonly realized: bigint | null;
  /** Null if every movement is folded. */
  readonly kind: MovementKind | null;
  readonly chainId: number | null;
  readonly movedShares: bigint | null;
  readonly movedAssets: bigint | null;
}

// The position, its fold progress, and later movements are read in one statement, so in one snapshot: between two
// statements, a fold could count a movement twice, or not at all.
const ofWallet = statement(
  'positions.ofWallet',
  `select f.family_id as "familyId", f.slug, p.shares, p.shares_on as "sharesOn", p.cost, p.realized,
     (array['deposit', 'exit', 'received', 'sent'])[later.kind] as kind, later.chain_id as "chainId",
     later.shares as "movedShares", later.assets as "movedAssets"
   from family f
   left join position p on p.family_id = f.family_id and p.wallet = $1::bytea
   left join lateral (select * from movement m
     where m.family_id = f.family_id and m.wallet = $1::bytea and m.block_time > f.position_until) later on true
   where f.slug = any($2::text[]) and (p.wallet is not null or later.wallet is not null)
   order by f.family_id, later.block_time, later.chain_id, later.block_number, later.log_index, later.part`,
);

// Computed from all movements by then, because only the newest position is stored.
const ofWalletAt = statement(
  'positions.ofWalletAt',
  `select f.family_id as "familyId", f.slug, null::numeric(78,0) as shares, null::text as "sharesOn",
     null::numeric(78,0) as cost, null::numeric(78,0) as realized,
     (array['deposit', 'exit', 'received', 'sent'])[m.kind] as kind, m.chain_id as "chainId",
     m.shares as "movedShares", m.assets as "movedAssets"
   from unnest($2::text[], $3::bigint[]) as asked(slug, until) join family f on f.slug = asked.slug
   join movement m on m.family_id = f.family_id and m.wallet = $1::bytea and m.block_time <= asked.until
   order by f.family_id, m.block_time, m.chain_id, m.block_number, m.log_index, m.part`,
);

/** A wallet's stake in each of these families in which it ever had a movement. */
export async function getStandings(
  db: Queryable,
  wallet: Address,
  slugs: readonly string[],
): Promise<Standing[]> {
  return standingsOf(await db.query<Row>(ofWallet, [bytes(wallet), textColumn(slugs)]));
}

/** The same for each family at an earlier time. */
export async function getStandingsAt(
  db: Queryable,
  wallet: Address,
  asked: readonly { readonly slug: string; readonly until: number }[],
): Promise<Standing[]> {
  const slugs = textColumn(asked.map(({ slug }) => slug));
  const untils = intColumn(asked.map(({ until }) => until));
  return standingsOf(await db.query<Row>(ofWalletAt, [bytes(wallet), slugs, untils]));
}

function standingsOf(rows: readonly Row[]): Standing[] {
  const standings = new Map<number, Standing>();
  for (const row of rows) {
    const { familyId, slug } = row;
    const position = standings.get(familyId)?.position ?? folded(row);
    standings.set(familyId, { familyId, slug, position: after(position, row) });
  }
  return [...standings.values()];
}

function folded({ shares, sharesOn, cost, realized }: Row): Position {
  if (shares === null || sharesOn === null || cost === null || realized === null) {
    return EMPTY_POSITION;
  }
  return { shares, sharesOn: parseShares(sharesOn), cost, realized };
}

function after(position: Position, { kind, chainId, movedShares, movedAssets }: Row): Position {
  if (kind === null || chainId === null || movedShares === null || movedAssets === null) {
    return position;
  }
  return moved(position, { kind, chainId, shares: movedShares, assets: movedAssets });
}
