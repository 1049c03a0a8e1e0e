import type { Allow } from '../pay/allow.ts';
import type { Budget } from '../pay/book.ts';
import { failure } from '../wire/errors.ts';
import type { Limit } from './limits.ts';

/** The allowed payments, as JSON. Amounts are decimal strings in base units. */
export interface Policy extends Pick<Allow, 'networks' | 'assets' | 'recipients' | 'hosts'> {
  readonly perCall: string;
  readonly total: string;
  readonly perHost?: string;
  readonly perPeriod?: PeriodLimit;
  /** Caps for some requests. All limits that match a request apply, in addition to the caps above. */
  readonly limits?: readonly PolicyLimit[];
}

/** Caps for the requests at a host, at a path, or at a path of a host. */
export interface PolicyLimit {
  /** One of `hosts`. Absent: all. */
  readonly host?: string;
  /** Decoded path. A trailing `*` matches every path with this prefix. Absent: all. */
  readonly path?: string;
  readonly perCall?: string;
  readonly perPeriod?: PeriodLimit;
  readonly total?: string;
}

export interface PeriodLimit {
  readonly amount: string;
  readonly seconds: number;
}

export interface PolicyTerms {
  readonly allow: Allow;
  readonly budget: Budget;
  readonly limits: readonly Limit[];
}

type Fields = Readonly<Record<string, unknown>>;

const LISTS = ['networks', 'assets', 'recipients', 'hosts'] as const;
const CAPS = ['perCall', 'perPeriod', 'total'] as const;

/** Throws `config` for unknown or invalid fields, because a misspelled cap would not apply. */
export function readPolicy(policy: unknown): PolicyTerms {
  const fields = fieldsOf(policy, 'policy', [...LISTS, ...CAPS, 'perHost', 'limits']);
  const [networks, assets, recipients, hosts] = LISTS.map((name) => textsOf(fields, name));
  const allow = { networks: networks!, assets: assets!, recipients: recipients!, hosts: hosts! };
  const { perCall, total, perHost, perPeriod, limits = [] } = fields;
  if (!Array.isArray(limits)) throw wrong('limits', 'must be a list');
  return {
    allow,
    budget: {
      perCall: amountOf(perCall, 'perCall'),
      total: amountOf(total, 'total'),
      ...(perHost !== undefined && { perHost: amountOf(perHost, 'perHost') }),
      ...(perPeriod !== undefined && { perPeriod: periodOf(perPeriod, 'perPeriod') }),
    },
    limits: limits.flatMap((limit, i) => limitsOf(limit, `limits[${i}]`, allow.hosts)),
  };
}

function limitsOf(value: unknown, at: string, hosts: readonly string[]): readonly Limit[] {
  const fields = fieldsOf(value, at, ['host', 'path', ...CAPS]);
  const { host, path, perCall, perPeriod, total } = fields;
  if (host === undefined && path === undefined) throw wrong(at, 'needs a host or a path');
  if (host !== undefined && !hosts.includes(host as string)) {
    throw wrong(`${at}.host`, 'must be one of hosts');
  }
  if (path !== undefined && !(typeof path === 'string' && /^\/[^*?#%]*\*?$/.test(path))) {
    throw wrong(`${at}.path`, 'must start with / and can end with *');
  }
  const scope = { host: host as string | undefined, path: path as string | undefined };
  const found: Limit[] = [];
  if (perCall !== undefined) {
    found.push({ ...scope, seconds: 0, amount: amountOf(perCall, `${at}.perCall`) });
  }
  if (perPeriod !== undefined) found.push({ ...scope, ...periodOf(perPeriod, `${at}.perPeriod`) });
  if (total !== undefined) {
    found.push({ ...scope, seconds: undefined, amount: amountOf(total, `${at}.total`) });
  }
  if (found.length === 0) throw wrong(at, `needs one of ${CAPS.join(', ')}`);
  return found;
}

function periodOf(value: unknown, at: string): { amount: bigint; seconds: number } {
  const { amount, seconds } = fieldsOf(value, at, ['amount', 'seconds']);
  if (Number.isSafeInteger(seconds) && (seconds as number) > 0) {
    return { amount: amountOf(amount, `${at}.amount`), seconds: seconds as number };
  }
  throw wrong(`${at}.seconds`, 'must be a positive integer');
}

function amountOf(value: unknown, at: string): bigint {
  if (typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value)) return BigInt(value);
  throw wrong(at, 'must be a string of decimal digits, in base units');
}

function textsOf(fields: Fields, name: string): readonly string[] {
  const list = fields[name];
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    throw wrong(name, 'must be a list of strings');
  }
  // Request URLs have the host in lower case.
  return name === 'hosts' ? list.map((host) => host.toLowerCase()) : list;
}

function fieldsOf(value: unknown, at: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(at, 'must be an object');
  }
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other === undefined) return value as Fields;
  throw wrong(at, `has the unknown field ${JSON.stringify(other.slice(0, 40))}`);
}

function wrong(at: string, why: string) {
  return failure('config', `The policy is invalid: ${at} ${why}.`, {});
}
