import { end } from './heartbeat.ts';
import { connect, connectionOf } from './postgresClient.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** The servers that a DATABASE_URL names, of which one takes writes at a time. */
export interface PostgresHosts {
  /** The URL of the one that does. Throws StoreUnavailable while none does. */
  primary(): Promise<string>;
  /** It may not be that one any more: the next who asks looks again. */
  doubt(): void;
}

/** Each server has as long to say what it is: one that hangs must not keep us from the one that took over. */
const ANSWER_MS = 1_000;

/** `postgres://user@a:1,b:2/name` → `postgres://user@a:1/name`, `postgres://user@b:2/name`. */
export function splitHosts(url: string): string[] {
  const [, start, hosts, rest] = /^([^/]*\/\/(?:[^/@]*@)?)([^/?]*)(.*)$/s.exec(url)!;
  return hosts!.split(',').map((host) => `${start}${host}${rest}`);
}

export function createHosts(url: string): PostgresHosts {
  const urls = splitHosts(url);
  let known = urls.length === 1 ? urls[0] : undefined;
  let looking: Promise<string> | undefined;

  return {
    async primary() {
      if (known !== undefined) return known;
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    doubt() {
      if (urls.length > 1) known = undefined;
    },
  };

  async function look(): Promise<string> {
    try {
      known = await Promise.any(urls.map(mustTakeWrites));
      return known;
    } catch (error) {
      // The reason of the first, as if it were alone.
      const [first] = (error as AggregateError).errors;
      throw first instanceof StoreUnavailable ? first : new StoreUnavailable('unreachable');
    }
  }
}

async function mustTakeWrites(url: string): Promise<string> {
  const client = await connect(url, ANSWER_MS);
  try {
    const { rows } = await connectionOf(client, ANSWER_MS).exec('select pg_is_in_recovery() as is');
    if (rows[0]!.is === true) throw new StoreUnavailable('unreachable');
    return url;
  } finally {
    await end(client);
  }
}
