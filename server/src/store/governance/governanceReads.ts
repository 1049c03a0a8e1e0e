import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** How far the governance events of a family were read on a chain. */
export interface GovernanceRead {
  readonly key: string;
  readonly familyId: number;
  readonly startBlock: number;
  readonly indexedBlock: number;
  /** Steps have read them with all other logs up to here; null: none has. */
  readonly readBlock: number | null;
  /** The rules they were read with, as text; null: they never were. */
  readonly rules: string | null;
  /** Of the indexed blocks, those still to be read. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Blocks of a family whose governance events are still to be read. */
export interface MissingGovernance {
  readonly key: string;
  readonly familyId: number;
  readonly from: number;
  readonly to: number;
}

/** How the events of a family are read from now on. */
export interface BegunRead {
  readonly key: string;
  readonly rules: string;
  /** Of the blocks indexed before, those to be read; null: none. */
  readonly missing: { readonly from: number; readonly to: number } | null;
}

const ofChain = statement(
  'governanceReads.ofChain',
  `select key, family_id as "familyId", start_block as "startBlock", indexed_block as "indexedBlock",
     governance_block as "readBlock", governance_rules as rules, governance_from as "from", governance_to as "to"
   from source where chain_id = $1 and family_id is not null`,
);
const begin = statement(
  'governanceReads.begin',
  `update source s set governance_block = s.indexed_block, governance_rules = own.rules, governance_from = own.first,
     governance_to = own.last
   from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as own(key, rules, first, last)
   where s.chain_id = $1 and s.key = own.key`,
);
const missing = statement(
  'governanceReads.missing',
  `select key, family_id as "familyId", governance_from as "from", governance_to as "to" from source
   where chain_id = $1 and family_id is not null and governance_from <= governance_to order by key`,
);
const incomplete = statement(
  'governanceReads.incomplete',
  `select chain_id as "chainId" from source
   where family_id = $1 and (governance_rules is null or governance_from <= governance_to)`,
);
const advance = statement(
  'governanceReads.advance',
  `update source set governance_from = $5 where chain_id = $1 and key = $2 and governance_from = $3 and governance_to >= $4
   returning key`,
);

/** How far governance events were read; some columns of the rows of sources. */
export const governanceReads = {
  getOfChain: (db: Queryable, chainId: number) => db.query<GovernanceRead>(ofChain, [chainId]),
  /** From now on, steps read them by these rules; the blocks in `missing` are still to be read. */
  begin: (tx: Queryable, chainId: number, plans: readonly BegunRead[]) =>
    tx.query(begin, [
      chainId,
      textColumn(plans.map(({ key }) => key)),
      textColumn(plans.map(({ rules }) => rules)),
      intColumn(plans.map(({ missing }) => missing?.from ?? null)),
      intColumn(plans.map(({ missing }) => missing?.to ?? null)),
    ]),
  getMissing: (db: Queryable, chainId: number) => db.query<MissingGovernance>(missing, [chainId]),
  /** Returns the chains on which some of a family's events are still to be read. */
  async getIncomplete(db: Queryable, familyId: number): Promise<readonly number[]> {
    const rows = await db.query<{ chainId: number }>(incomplete, [familyId]);
    return rows.map(({ chainId }) => chainId);
  },
  /**
   * Records that blocks `from` to `to` were read. Returns false if they are no longer missing, because the source was
   * restarted.
   */
  async advance(
    tx: Queryable,
    chainId: number,
    key: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<boolean> {
    const rows = await tx.query(advance, [chainId, key, from, to, to + 1]);
    return rows.length > 0;
  },
};
