import fc from 'fast-check';
import type { Route, RouteParameter } from '../src/http/route.ts';

/** `bad`: the response must be 400. `good`: it must not be 400. `odd`: any response but a server error. */
export type Judgement = 'good' | 'bad' | 'odd';

/** A value as written in a URL, already percent-encoded. */
export interface Value {
  readonly raw: string;
  readonly is: Judgement;
}

export interface OddRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The expected judgement of the complete request. */
  readonly is: Judgement;
}

/** Existing values that the generator can use besides nonsense. */
export interface KnownThings {
  readonly slugs: readonly string[];
  /** Checksummed addresses. */
  readonly wallets: readonly string[];
  readonly chainIds: readonly number[];
  /** The server's `nextCursor` values; each is valid with its own filters only. */
  readonly cursors: readonly string[];
}

const encoded = (text: string, is: Judgement): Value => ({ raw: encodeURIComponent(text), is });
const allOf = (is: Judgement, texts: readonly string[]) =>
  fc.constantFrom(...texts.map((text) => encoded(text, is)));

/** Invalid for every known parameter: null characters, bad encodings, and empty values. */
const neverGood = fc.constantFrom<Value>(
  { raw: '', is: 'bad' },
  { raw: '%00', is: 'bad' },
  { raw: 'a%00b', is: 'bad' },
  { raw: '%', is: 'bad' },
  { raw: '%zz', is: 'bad' },
  { raw: '%c3%28', is: 'bad' },
  { raw: '%ed%a0%80', is: 'bad' },
);
const NONSENSE = [
  ...['-1', '0.5', 'null', 'undefined', '[object Object]', '__proto__', 'constructor', 'true', '*'],
  ...["'; drop table tick; --", '" or 1=1', '../../etc/passwd', '{{7*7}}', '<script>', '\r\nx: y'],
  ...[
    '\u{1f600}',
    '\u202e',
    'ſvcusd',
    '٣',
    '１',
    '\ufeff',
    'é',
    '\u0000x',
    '9'.repeat(40),
    ' ',
    '\t',
  ],
];
/** A URL cannot contain it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Matches no choice, number, date, or address; a slug or symbol could have such a name. */
function nonsense(is: Judgement) {
  return fc.oneof(
    allOf(
      is,
      NONSENSE.filter((text) => !text.includes('\0')),
    ),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !text.includes('\0') && !LONE_SURROGATE.test(text))
      .map((text) => encoded(text, 'odd')),
    fc.integer({ min: 100, max: 5_000 }).map((length) => encoded('x'.repeat(length), is)),
  );
}

function choice(values: readonly string[]) {
  const near = values.flatMap((value) => [value.toUpperCase(), `${value} `, `${value}s`]);
  return fc.oneof(
    allOf('good', values),
    allOf('bad', [...near, 'week', '2d', 'mint']),
    nonsense('bad'),
  );
}

function whole(min: number, max: number) {
  return fc.oneof(
    fc.integer({ min, max }).map((value) => encoded(`${value}`, 'good')),
    allOf('good', [`${min}`, `${max}`]),
    allOf('bad', ['1.5', '1e3', '-1', '+1', '0x10', ' 1', '1 ', '1,000', 'NaN', 'Infinity', '٣']),
    allOf('bad', [`${min - 1}`, `${BigInt(max) + 1n}`, `${max}0`, '9'.repeat(30)]),
    nonsense('bad'),
  );
}

const pad = (value: number, digits = 2) => `${value}`.padStart(digits, '0');

/** Computes the days of each month by the calendar's rule, not with the code under test. */
function dayExists(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

const zone = fc.oneof(
  fc.constantFrom<Value>(
    { raw: 'Z', is: 'good' },
    { raw: '', is: 'bad' },
    { raw: '[UTC]', is: 'bad' },
    { raw: ' UTC', is: 'bad' },
  ),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.nat(30), fc.nat(75))
    .map(([sign, hours, minutes]): Value => {
      const exists = hours <= 23 && minutes <= 59;
      return { raw: `${sign}${pad(hours)}:${pad(minutes)}`, is: exists ? 'good' : 'bad' };
    }),
);
const date = fc
  .tuple(fc.integer({ min: 1960, max: 2040 }), fc.nat(13), fc.nat(32))
  .map(([year, month, day]) => ({
    text: `${pad(year, 4)}-${pad(month)}-${pad(day)}`,
    exists: year >= 1970 && dayExists(year, month, day),
  }));
const instant = fc.oneof(
  date.map(({ text, exists }) => encoded(text, exists ? 'good' : 'bad')),
  fc.tuple(date, fc.nat(25), fc.nat(61), fc.nat(61), zone).map(([day, h, m, s, { raw, is }]) => {
    const exists = day.exists && h <= 23 && m <= 59 && s <= 59 && is === 'good';
    return encoded(`${day.text}T${pad(h)}:${pad(m)}:${pad(s)}${raw}`, exists ? 'good' : 'bad');
  }),
  allOf('bad', [
    '2026-02-30',
    '2025-02-29',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '1790000000',
    'now',
  ]),
  allOf('bad', ['2026-01-31T12:00:00', '2026-01-31T24:00:00Z', '2026-01-31T12:00:00+24:00']),
  allOf('bad', ['2026-01-31T12:00:00.1234567890Z', '+002026-01-01', '-1', '2026-W05', '1e3']),
  nonsense('bad'),
);

function address(wallets: readonly string[]) {
  const wallet = fc.constantFrom(...wallets);
  return fc.oneof(
    wallet.map((text) => encoded(text, 'good')),
    wallet.map((text) => encoded(text.toLowerCase(), 'good')),
    wallet.map((text) => encoded(`0x${text.slice(2).toUpperCase()}`, 'good')),
    wallet.map((text) => encoded(wrongChecksum(text), 'bad')),
    fc.tuple(wallet, fc.nat(41)).map(([text, length]) => encoded(text.slice(0, length), 'bad')),
    wallet.map((text) => encoded(`${text}0`, 'bad')),
    wallet.map((text) => encoded(text.slice(2), 'bad')),
    wallet.map((text) => encoded(`${text.slice(0, 41)}g`, 'bad')),
    nonsense('bad'),
  );
}

/** Changes the case of one letter. Each test address has several letters, so it stays mixed-case. */
export function wrongChecksum(address: string): string {
  const at = [...address].findIndex((letter, i) => i > 1 && /[a-f]/i.test(letter));
  const letter = address[at]!;
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}

/** Changes one character of the text. */
export function changedAt(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

function cursor(cursors: readonly string[]) {
  const own = fc.constantFrom(...cursors);
  return fc.oneof(
    own.map((text) => encoded(text, 'odd')),
    fc.tuple(own, fc.nat()).map(([text, n]) => encoded(changedAt(text, n % text.length), 'bad')),
    fc.tuple(own, fc.nat()).map(([text, n]) => encoded(text.slice(0, n % text.length), 'bad')),
    own.map((text) => encoded(`${text}=`, 'bad')),
    nonsense('bad'),
  );
}

/** Generates values for a route's parameter from its name and its documented limits. */
function valuesOf({ name, schema }: RouteParameter, known: KnownThings): fc.Arbitrary<Value> {
  const { minimum = 1, maximum = 999_999_999_999_999 } = schema as Record<string, number>;
  const slug = fc.oneof(allOf('good', known.slugs), nonsense('odd'));
  switch (name) {
    case 'from':
    case 'to':
    case 'at':
      return instant;
    case 'block':
      return fc.oneof(
        allOf('odd', ['8453:1', '8453:999999999', '1:0', `8453:0x${'a'.repeat(64)}`]),
        allOf('bad', ['8453', '8453:', 'base:1', '8453:-1', '8453:0x12', ':1']),
        nonsense('bad'),
      );
    case 'assets':
      return fc.oneof(
        allOf('good', ['1', '1000000', '9'.repeat(30)]),
        allOf('bad', ['0', '-1', '1.5', '1e3', '0x10', '01', ' 1']),
      );
    case 'transactionHash':
      return fc.oneof(
        allOf('good', [`0x${'ab'.repeat(32)}`, `0x${'00'.repeat(32)}`]),
        allOf('bad', ['0x12', 'ab'.repeat(32), `0x${'ab'.repeat(33)}`]),
        nonsense('bad'),
      );
    case 'metric':
      return choice(['tvl', 'apy', 'price']);
    case 'theme':
      return choice(['auto', 'light', 'dark']);
    case 'limit':
      return whole(minimum, maximum);
    case 'chainId':
      return fc.oneof(allOf('good', known.chainIds.map(String)), whole(1, 999_999_999_999_999));
    case 'interval':
      return choice(['raw', 'hour', 'day']);
    case 'period':
      return choice(['1d', '7d', '30d']);
    case 'type':
      return choice(['deposit', 'withdraw', 'redeem', 'cancel']);
    case 'method':
      return choice(['average', 'fifo', 'lifo', 'hifo']);
    case 'state':
      return choice(['open', 'closed']);
    case 'format':
      return choice(['koinly', 'cointracking', 'journal']);
    case 'year':
      return fc.oneof(
        allOf('good', ['2015', '2020']),
        allOf('bad', ['2014', '2101', '20', '1e3', 'now']),
        nonsense('bad'),
      );
    case 'timeZone':
      return fc.oneof(allOf('good', ['UTC', 'Europe/Zurich']), nonsense('bad'));
    case 'wallets':
      return address(known.wallets);
    case 'user':
    case 'walletAddress':
      return address(known.wallets);
    case 'cursor':
      return cursor(known.cursors);
    case 'baseAsset':
      return fc.oneof(slug, allOf('bad', ['0x12', '0xzz', wrongChecksum(known.wallets[0]!)]));
    case 'network':
      return fc.oneof(allOf('good', ['base', '8453', '31337']), nonsense('odd'));
    case 'vaultAddress':
    case 'userAddress':
      return fc.oneof(allOf('good', known.wallets), nonsense('odd'));
    default:
      return slug;
  }
}

interface Pair {
  readonly name: string;
  readonly value: Value;
}

/**
 * Generates path and query for one route: each known parameter none, one, or several times, mixed with unknown ones.
 */
function urlOf(route: Route, known: KnownThings): fc.Arbitrary<{ url: string; is: Judgement }> {
  const places = route.parameters.filter((one) => one.in === 'path');
  const queries = route.parameters.filter((one) => one.in === 'query');
  // An empty value between two slashes is another path.
  const filled = fc.tuple(
    ...places.map((one) =>
      fc.oneof(
        { weight: 6, arbitrary: valuesOf(one, known) },
        { weight: 1, arbitrary: neverGood.filter(({ raw }) => raw !== '') },
      ),
    ),
  );
  const unknown = fc
    .tuple(
      fc.constantFrom('x', 'Limit', 'limit[]', '%00', '%', ''),
      fc.oneof(nonsense('odd'), neverGood),
    )
    .map(([name, value]): Pair => ({ name, value: { raw: value.raw, is: 'good' } }));
  const given = queries.map((one) =>
    fc
      .oneof({ weight: 6, arbitrary: valuesOf(one, known) }, { weight: 1, arbitrary: neverGood })
      .map((value): Pair => ({ name: one.name, value: inRange(route, one, value) })),
  );
  const pairs = fc.array(fc.oneof(...given, unknown), { maxLength: 4 });
  return fc.tuple(filled, pairs).map(([values, query]) => {
    let next = 0;
    const path = route.path.replaceAll(/\{\w+\}/g, () => values[next++]!.raw);
    const text = query.map(({ name, value }) => `${name}=${value.raw}`).join('&');
    return {
      url: text === '' ? path : `${path}?${text}`,
      is: judge(
        values,
        query.filter(({ name }) => queries.some((one) => one.name === name)),
      ),
    };
  });
}

/** An exit period has a maximum length, so a single bound can be too long ago. */
function inRange({ path }: Route, { name }: RouteParameter, value: Value): Value {
  const isLimited = path.endsWith('/exits') && ['from', 'to'].includes(name);
  return isLimited && value.is === 'good' ? { ...value, is: 'odd' } : value;
}

function judge(places: readonly Value[], query: readonly Pair[]): Judgement {
  const names = query.map(({ name }) => name);
  if (places.some(({ is }) => is === 'bad')) return 'bad';
  if (new Set(names).size < names.length) return 'bad';
  const faults = query.filter(({ value }) => value.is === 'bad').map(({ name }) => name);
  // A cursor is decoded only if the family exists; otherwise the error is the family.
  const unknownFamily = query.some(({ name, value }) => name === 'family' && value.is === 'odd');
  if (faults.length > 0 && !(unknownFamily && faults.every((name) => name === 'cursor')))
    return 'bad';
  // Other tests cover the order of the two and the filters that a cursor is bound to.
  if (names.includes('from') && names.includes('to')) return 'odd';
  // A request may contain only one of them.
  if (names.includes('at') && names.includes('block')) return 'odd';
  return [...places, ...query.map(({ value }) => value)].every(({ is }) => is === 'good')
    ? 'good'
    : 'odd';
}

/** Paths outside of the list of routes: the server's own, and paths that do not exist. */
const OTHER_PATHS = ['/openapi.json', '/docs', '/v1/status', '/health/live', '/health/ready'];
const NO_PATHS = [
  ...[
    '/',
    '/v1',
    '/v1/',
    '/v2/vaults',
    '/V1/vaults',
    '/v1/vaults/',
    '/v1//vaults',
    '//',
    '/v1/history/',
  ],
  ...[
    '/v1/vaults/svcusd/timeseries',
    '/v1/vaults/svcusd/timeseries/price',
    '/v1/users',
    '/metrics',
  ],
  ...[
    '/api/v1',
    '/api/v1/vault',
    '/api/v1/vault/base',
    '/api/v2/vault/base/0x0',
    '/favicon.png',
    '/*',
  ],
  ...[
    '/v1/performance/',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/.env',
    '/health',
    '/docs/',
    '/openapi.yaml',
  ],
];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'br;q=1, gzip;q=nonsense, *;q=-1' },
  { 'accept-encoding': ',;=,,q=' },
  { accept: 'text/nothing' },
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"x", "y' },
  { 'x-forwarded-for': "'; --" },
  { range: 'bytes=5-1' },
  { origin: 'null', 'access-control-request-method': 'BREW' },
  { cookie: '='.repeat(200) },
];

/** Generates requests over all routes of the server, most of them invalid in some way. */
export function oddRequests(
  routes: readonly Route[],
  known: KnownThings,
): fc.Arbitrary<OddRequest> {
  const ofRoutes = fc.oneof(...routes.map((route) => urlOf(route, known)));
  const suffix = fc.oneof(
    fc.constantFrom('', '?', '?&&&', '?%', '?limit=0', '?a=%00'),
    fc.integer({ min: 1, max: 3_000 }).map((length) => `?q=${'y'.repeat(length)}`),
  );
  const ofOthers = fc
    .tuple(fc.constantFrom(...OTHER_PATHS, ...NO_PATHS), suffix)
    .map(([path, text]) => ({ url: path + text, is: 'odd' as const }));
  const asked = fc.oneof({ weight: 8, arbitrary: ofRoutes }, { weight: 2, arbitrary: ofOthers });
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constant('GET') },
    { weight: 2, arbitrary: fc.constant('HEAD') },
    { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE') },
  );
  return fc
    .tuple(method, asked, fc.constantFrom(...HEADERS))
    .map(([verb, { url, is }, headers]) => ({ method: verb, url, headers, is }));
}
