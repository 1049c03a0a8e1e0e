import { type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { GRADES, LABELS } from '../domain/risk/graph.ts';

/**
 * The types of the API that every route uses. Each takes its description: a field states what it is and its unit.
 * Objects are open for readers, so that a new field breaks no client; tests check that responses have exactly the
 * described fields.
 */

const ADDRESS = '^0x[0-9a-fA-F]{40}$';

/** An address in a request: in any case. */
export function AskedAddress() {
  return Type.String({ pattern: ADDRESS });
}

export function AskedHash() {
  return Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });
}

/** An integer in a request; the same bounds are used to read it. */
export function AskedWhole(bounds: { min: number; max?: number; default?: number }) {
  const { min, max, default: usual } = bounds;
  return Type.Integer({
    minimum: min,
    ...(max !== undefined && { maximum: max }),
    ...(usual !== undefined && { default: usual }),
  });
}

/** An EIP-55 address in a response. */
export function Address(description: string) {
  return Type.String({
    pattern: ADDRESS,
    description: `${description} EIP-55 checksummed.`,
    examples: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  });
}

/** A 32-byte hash. */
export function Hash(description: string) {
  return Type.String({
    pattern: '^0x[0-9a-f]{64}$',
    description,
    examples: [`0x${'ab'.repeat(32)}`],
  });
}

/** A non-negative integer in base units. The description names the token. */
export function Amount(description: string) {
  return Type.String({
    pattern: '^(0|[1-9][0-9]*)$',
    description: `${description} In base units: an integer in decimal digits.`,
    examples: ['1250000000'],
  });
}

/** The same, but it can be negative: `realized` and `unrealized`. */
export function SignedAmount(description: string) {
  return Type.String({
    pattern: '^(0|-?[1-9][0-9]*)$',
    description: `${description} In base units: an integer in decimal digits, with a minus sign when negative.`,
    examples: ['-4200000'],
  });
}

/** A block number: an integer in text, like an amount. */
export function Block(description: string) {
  return Type.String({
    pattern: '^(0|[1-9][0-9]*)$',
    description: `${description} A block number in decimal digits.`,
    examples: ['30000000'],
  });
}

/** A time in UTC. */
export function DateTime(description: string) {
  return Type.String({
    format: 'date-time',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$',
    description: `${description} ISO 8601 in UTC, ending in Z.`,
    examples: ['2026-07-01T12:00:00.000Z'],
  });
}

/** A block time. */
export function UnixTime(description: string) {
  return Type.Integer({
    description: `${description} In Unix seconds.`,
    examples: [1_790_000_000],
  });
}

export function ChainId(description: string) {
  return Type.Integer({
    minimum: 1,
    description: `${description} EIP-155 chain id.`,
    examples: [8453],
  });
}

export function Decimals(description: string) {
  return Type.Integer({ minimum: 0, maximum: 255, description, examples: [6] });
}

export function Slug(description: string) {
  return Type.String({ description, examples: ['svcusd'] });
}

/** A fraction of one per year. */
export function Rate(description: string) {
  return Type.Number({
    description: `${description} A fraction per year: 0.045 is 4.5%.`,
    examples: [0.045],
  });
}

/** A fraction of one, not per year. */
export function Fraction(description: string) {
  return Type.Number({
    description: `${description} A fraction: 0.045 is 4.5%.`,
    examples: [0.045],
  });
}

/** US dollars. If a price may be unavailable, wrap it in Nullable. */
export function Usd(description: string) {
  return Type.Number({ description: `${description} In US dollars.`, examples: [1250.42] });
}

export function Percent(description: string) {
  return Type.Number({ description: `${description} In percent, 0 to 100.`, examples: [12.5] });
}

export function Text(description: string, example?: string) {
  return Type.String({ description, ...(example !== undefined && { examples: [example] }) });
}

export function Flag(description: string) {
  return Type.Boolean({ description });
}

/** A count. */
export function Count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** Any other number; the description states the unit. */
export function Figure(description: string) {
  return Type.Number({ description });
}

export function OneOf<const Values extends readonly string[]>(values: Values, description: string) {
  return Type.Enum([...values] as Values[number][], { description, examples: [values[0]!] });
}

/** The letter of a risk grade. */
export function Grade(description: string) {
  return OneOf(GRADES, description);
}

/** The kind of a node of the risk graph. */
export function NodeLabel(description: string) {
  return OneOf(LABELS, description);
}

/** null if unknown, never zero. */
export function Nullable<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A field that stays for the clients that read it. `successor` is the field or route to read instead. */
export function Deprecated<Schema extends TSchema>(schema: Schema, successor: string): Schema {
  const { description } = schema as { readonly description?: string };
  return { ...schema, deprecated: true, description: `Use ${successor} instead. ${description}` };
}

export function List<Schema extends TSchema>(items: Schema, description: string) {
  return Type.Array(items, { description });
}

export function Shape<Properties extends TProperties>(
  properties: Properties,
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Object(properties, { description, ...options });
}

/** An object whose fields depend on what it describes. */
export function AnyFields(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description });
}

/** The body of every response that is not 2xx: RFC 9457. */
export const Problem = Shape(
  {
    type: Text('Always about:blank: the status identifies the kind of problem.', 'about:blank'),
    title: Text('The title of the HTTP status.', 'Bad Request'),
    status: Type.Integer({
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status.',
      examples: [400],
    }),
    detail: Type.Optional(
      Text('What went wrong, and what to do.', 'limit must be an integer from 1 to 500'),
    ),
    code: Type.Optional(
      Text(
        'A machine-readable reason, with 409 and some 410 and 503.',
        'payment_identifier_conflict',
      ),
    ),
    errors: Type.Optional(
      List(
        Shape(
          {
            parameter: Text('The name of the parameter.', 'limit'),
            reason: Text(
              'Completes the sentence that starts with its name.',
              'must be an integer from 1 to 500',
            ),
          },
          'An invalid parameter.',
        ),
        'Only with 400: every invalid parameter.',
      ),
    ),
    candidates: Type.Optional(
      List(
        Text('A node id.', 'pool:base:0x1111111111111111111111111111111111111111'),
        'Only with 400, if an address or unique key matches several nodes: their ids, at most 20.',
      ),
    ),
    successor: Type.Optional(
      Nullable(
        Text('A URL of this API.', '/v1/vaults/svcusd'),
        'Only with 410 of the legacy API: the URL that replaces the requested one; null if it is unknown.',
      ),
    ),
    nearest: Type.Optional(
      Nullable(
        DateTime('The nearest time with data.'),
        'Only with 410 and `no_data_then`: the nearest time with data; null if there is none.',
      ),
    ),
    chains: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'Only with 503 of /health/ready: the state of every chain.',
      }),
    ),
  },
  'An error, as defined by RFC 9457.',
);
