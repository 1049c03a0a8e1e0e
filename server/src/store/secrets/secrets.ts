import type { Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

const insert = statement(
  'secrets.insert',
  'insert into secret (name, value) values ($1, $2::bytea) on conflict (name) do nothing',
);
const byName = statement('secrets.byName', 'select value from secret where name = $1');

export const secrets = {
  /** Returns the key with that name, storing `fresh` if there is none. All processes get the same key. */
  async ensure(db: Queryable, name: string, fresh: Hex): Promise<Hex> {
    const known = await db.query<{ value: Hex }>(byName, [name]);
    if (known[0] !== undefined) return known[0].value;
    await db.query(insert, [name, bytes(fresh)]);
    const held = await db.query<{ value: Hex }>(byName, [name]);
    return held[0]!.value;
  },
};
