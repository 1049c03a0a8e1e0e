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
  // takes no writes: it is not the primary any more
  '25006',
]);

/** What a failed attempt to connect means; its own text may hold the address or the user. */
export function connectFault(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(REFUSED.has(codeOf(error)) ? 'refused' : 'unreachable');
}

/** What a failed statement means: the database said no, or it is gone. */
export function queryFault(statement: string, error: unknown): Error {
  if (error instanceof StoreUnavailable) return error;
  const outage = outageOf(error);
  return outage === undefined
    ? new StatementFailed(statement, error as DatabaseFault)
    : new StoreUnavailable(outage);
}

/** Whether it was the server that failed, and not the statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof StatementFailed) return false;
  if (error instanceof StoreUnavailable) return error.outage !== 'slow' && error.outage !== 'busy';
  const outage = outageOf(error);
  return outage !== undefined && outage !== 'slow';
}

function outageOf(error: unknown): Outage | undefined {
  const code = codeOf(error);
  // Given up by the database when its deadline was over.
  if (code === '57014') return 'slow';
  if (UNREACHABLE.has(code)) return 'unreachable';
  // An SQLSTATE is five characters; class 08 is the connection's, 57P0x a server that ends it. What else fails
  // without one is the socket or the driver.
  if (!/^[0-9A-Z]{5}$/.test(code) || /^(08|57P0)/.test(code)) return 'connection-lost';
  return undefined;
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}
