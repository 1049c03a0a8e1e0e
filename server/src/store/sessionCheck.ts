import type pg from 'pg';
import { CONNECT_MS } from './deadlines.ts';
import { end } from './heartbeat.ts';
import { connect, exec, type Greeting, SESSION } from './postgresClient.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/**
 * Whether connections keep their sessions. Leads, notifications, settings, and prepared statements depend on it, and a
 * pooler in transaction or statement mode loses them without an error.
 */
export interface SessionCheck {
  /** Throws StoreUnavailable if connections to `url` do not keep their sessions. */
  require(url: string, connectMs?: number): Promise<void>;
  /** The same for a new connection; only connections through a pooler are examined. */
  admit(client: pg.ClientBase, greeting: Greeting, url: string): Promise<void>;
  /** Whether the last connection to one of the URLs was rejected for it. */
  isPooled(): boolean;
  /** Calls `listener` when that changes. */
  onChange(listener: () => void): void;
}

/**
 * Poolers that assign their sessions in turn show it in the second round at the latest, unless other clients use them
 * too.
 */
const ROUNDS = 3;

export function createSessionCheck(): SessionCheck {
  const inProgress = new Map<string, Promise<void>>();
  const refused = new Set<string>();
  const listeners: (() => void)[] = [];

  return {
    require: requireSessions,
    async admit(client, { session }, url) {
      // A pooler returns its own process IDs.
      const { processID } = client as unknown as { processID: number | null };
      if (processID === session) note(url, false);
      else await requireSessions(url);
    },
    isPooled: () => refused.size > 0,
    onChange: (listener) => void listeners.push(listener),
  };

  function requireSessions(url: string, connectMs = CONNECT_MS): Promise<void> {
    const known = inProgress.get(url);
    if (known !== undefined) return known;
    const started = examine(url, connectMs)
      .then((kept) => {
        note(url, !kept);
        if (!kept) throw new StoreUnavailable('pooled');
      })
      .finally(() => inProgress.delete(url));
    inProgress.set(url, started);
    return started;
  }

  function note(url: string, isRefused: boolean): void {
    if (refused.has(url) === isRefused) return;
    if (isRefused) refused.add(url);
    else refused.delete(url);
    for (const listener of listeners) listener();
  }
}

async function examine(url: string, connectMs: number): Promise<boolean> {
  const asking = await connect(url, connectMs);
  try {
    const holding = await connect(url, connectMs);
    try {
      return await keepsSession(asking, holding, connectMs);
    } finally {
      await end(holding);
    }
  } finally {
    await end(asking);
  }
}

/** A session that is kept stays the same while another connection is in a transaction, and is never that one's. */
async function keepsSession(asking: pg.Client, holding: pg.Client, ms: number): Promise<boolean> {
  const first = await sessionOf(asking, '', ms);
  for (let round = 0; round < ROUNDS; round++) {
    const held = await begin(holding, ms);
    if (held === first) return false;
    if ((await sessionOf(asking, '', ms)) !== first || held === undefined) return false;
    await exec(holding, 'commit', ms);
  }
  return true;
}

/** Undefined: the connection was closed for it, as in statement mode. */
async function begin(client: pg.Client, ms: number): Promise<unknown> {
  try {
    return await sessionOf(client, 'begin; ', ms);
  } catch (error) {
    if (error instanceof StoreUnavailable && error.outage === 'connection-lost') return undefined;
    throw error;
  }
}

async function sessionOf(client: pg.Client, before: string, ms: number): Promise<unknown> {
  const { rows } = await exec(client, `${before}select ${SESSION}`, ms);
  return rows[0]!.session;
}
