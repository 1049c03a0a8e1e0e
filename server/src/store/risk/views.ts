import { DAY } from '../../domain/time.ts';
import { type Queryable, type Store, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** A view of the graph that a server has built and stored. */
export interface KeptView {
  /** The servers that can read it. */
  readonly format: string;
  /** The version of the graph that it shows. */
  readonly version: number;
  readonly layout: string;
  /** Unix seconds. */
  readonly keptAt: number;
}

const find = statement(
  'riskViews.find',
  'select format, version, layout, kept_at as "keptAt" from risk_view where format = $1',
);
const readPart = statement(
  'riskViews.readPart',
  'select bytes from risk_view_part where format = $1 and version = $2 and part = $3',
);
const addPart = statement(
  'riskViews.addPart',
  `insert into risk_view_part (format, version, part, bytes) values ($1, $2, $3, $4)
   on conflict (format, version, part) do update set bytes = excluded.bytes`,
);
const add = statement(
  'riskViews.add',
  `insert into risk_view (format, version, layout, kept_at) values ($1, $2, $3, $4)
   on conflict (format) do update set version = excluded.version, layout = excluded.layout, kept_at = excluded.kept_at`,
);
const removeOld = statement('riskViews.removeOld', `delete from risk_view where kept_at < $1`);
const removeParts = statement(
  'riskViews.removeParts',
  `delete from risk_view_part p where not exists (
     select from risk_view v where v.format = p.format and v.version = p.version)`,
);

/** Views of servers of another version of this program, which may be gone. */
const KEPT_FOR = DAY;

/** On the primary only, because a replica does not have it. */
export const riskViews = {
  async find(db: Queryable, format: string): Promise<KeptView | undefined> {
    const [row] = await db.query<KeptView>(find, [format]);
    return row;
  },
  /** Undefined if it was removed meanwhile. */
  async readPart(db: Queryable, view: KeptView, part: number): Promise<Uint8Array | undefined> {
    const { format, version } = view;
    const [row] = await db.query<{ bytes: string }>(readPart, [format, version, part]);
    return row && Buffer.from(row.bytes.slice(2), 'hex');
  },
  addPart: (db: Queryable, { format, version }: KeptView, part: number, data: Uint8Array) =>
    db.query(addPart, [format, version, part, bytes(`0x${Buffer.from(data).toString('hex')}`)]),
  /** Publishes it once all its parts are stored: it replaces the previous view. */
  async finish(store: Pick<Store, 'transaction'>, view: KeptView): Promise<void> {
    const { format, version, layout, keptAt } = view;
    await store.transaction(async (tx) => {
      await tx.query(add, [format, version, layout, keptAt]);
      await tx.query(removeOld, [keptAt - KEPT_FOR]);
      await tx.query(removeParts);
    });
  },
};
