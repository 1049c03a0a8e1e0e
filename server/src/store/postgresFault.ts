import { type DatabaseFault, StatementFailed } from './statementFailed.ts';
import { type Outage, StoreUnavailable } from './storeUnavailable.ts';

const REFUSED = new Set(['28000', '28P01', '3D000', '42501']);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
  'EACCES',
  // starting up, or out of connections
  '57P03',
  '53300',
]);
/** A read-only transaction, and ENOSPC: the database answers, and says that it cannot write. */
const UNWRITABLE: Readonly<Record<string, Outage>> = { '25006': 'read-only', '53100': 'full' };
const IDLE_IN_TRANSACTION = '25P03';
const UNKNOWN_PREPARED_STATEMENT = '26000';

/** What a failed attempt to connect means; its own text may hold the address or the user. */
export function connectFault(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  // The driver's own error for a password that is missing or that the server cannot prove to know.
  const refused = REFUSED.has(codeOf(error)) || /^SASL/.test(String((error as Error)?.message));
  return new StoreUnavailable(refused ? 'refused' : 'unreachable');
}

/** What a failed statement means: the database said no, or it is gone. */
export function queryFault(statement: string, error: unknown): Error {
  if (error instanceof StoreUnavailable) return error;
  const outage = outageOf(error);
  return outage === undefined
    ? new StatementFailed(statement, error as DatabaseFault)
    : new StoreUnavailable(outage);
}

/** What a database that surely answers means by a failed statement. */
export function statementFault(statement: string, fault: DatabaseFault): Error {
  const outage = UNWRITABLE[fault.code ?? ''];
  return outage === undefined
    ? new StatementFailed(statement, fault)
    : new StoreUnavailable(outage);
}

/** Outages that say nothing of other statements, or of other hosts. */
const OF_ONE: ReadonlySet<Outage> = new Set(['slow', 'busy', 'full']);

/** Whether it was the server that failed, and not the statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof StatementFailed) return false;
  const outage = error instanceof StoreUnavailable ? error.outage : outageOf(error);
  return outage !== undefined && !OF_ONE.has(outage);
}

function outageOf(error: unknown): Outage | undefined {
  const code = codeOf(error);
  // Given up by the database when its deadline was over.
  if (code === '57014') return 'slow';
  if (UNREACHABLE.has(code)) return 'unreachable';
  if (UNWRITABLE[code] !== undefined) return UNWRITABLE[code];
  // Each connection prepares what it uses: another session than its own was asked.
  if (code === UNKNOWN_PREPARED_STATEMENT) return 'pooled';
  // The server ends a session that said nothing for too long: what it held is another's.
  if (code === IDLE_IN_TRANSACTION) return 'connection-lost';
  // An SQLSTATE is five characters; class 08 is the connection's, 57P0x a server that ends it. What else fails
  // without one is the socket or the driver.
  if (!/^[0-9A-Z]{5}$/.test(code) || /^(08|57P0)/.test(code)) return 'connection-lost';
  return undefined;
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}
