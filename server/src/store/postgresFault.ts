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
/** A read-only transaction, and ENOSPC: the database responds, and reports that it cannot write. */
const UNWRITABLE: Readonly<Record<string, Outage>> = { '25006': 'read-only', '53100': 'full' };
const IDLE_IN_TRANSACTION = '25P03';
const UNKNOWN_PREPARED_STATEMENT = '26000';

/** Classifies a failed connection attempt; the error's own text may contain the address or the user. */
export function connectFault(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  // The driver's own error for a missing password, or one that the server cannot prove to know.
  const refused = REFUSED.has(codeOf(error)) || /^SASL/.test(String((error as Error)?.message));
  return new StoreUnavailable(refused ? 'refused' : 'unreachable');
}

/** Classifies a failed statement: either the database rejected it, or the database is gone. */
export function queryFault(statement: string, error: unknown): Error {
  if (error instanceof StoreUnavailable) return error;
  const outage = outageOf(error);
  return outage === undefined
    ? new StatementFailed(statement, error as DatabaseFault)
    : new StoreUnavailable(outage);
}

/** Classifies a failed statement of a database that is known to respond. */
export function statementFault(statement: string, fault: DatabaseFault): Error {
  const outage = UNWRITABLE[fault.code ?? ''];
  return outage === undefined
    ? new StatementFailed(statement, fault)
    : new StoreUnavailable(outage);
}

/** Outages that do not affect other statements or other hosts. */
const OF_ONE: ReadonlySet<Outage> = new Set(['slow', 'busy', 'full']);

/** Whether the server failed, and not the statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof StatementFailed) return false;
  const outage = error instanceof StoreUnavailable ? error.outage : outageOf(error);
  return outage !== undefined && !OF_ONE.has(outage);
}

function outageOf(error: unknown): Outage | undefined {
  const code = codeOf(error);
  // Cancelled by the database at its deadline.
  if (code === '57014') return 'slow';
  if (UNREACHABLE.has(code)) return 'unreachable';
  if (UNWRITABLE[code] !== undefined) return UNWRITABLE[code];
  // Each connection prepares its statements, so a missing one means that another session received the query.
  if (code === UNKNOWN_PREPARED_STATEMENT) return 'pooled';
  // The server ends an idle session after its timeout, and other sessions can take its locks.
  if (code === IDLE_IN_TRANSACTION) return 'connection-lost';
  // An SQLSTATE has five characters; class 08 is a connection error, and 57P0x is a server shutdown. Failures without
  // one come from the socket or the driver.
  if (!/^[0-9A-Z]{5}$/.test(code) || /^(08|57P0)/.test(code)) return 'connection-lost';
  return undefined;
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}
