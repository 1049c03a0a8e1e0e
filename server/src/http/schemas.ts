import { type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';

/**
 * The words of the interface that every route uses. Each takes its description: a field says what it is and in
 * which unit. Objects stay open for readers, so that a new field breaks nobody; the tests hold answers to exactly
 * the fields described.
 */

/** An EIP-55 address, as every answer shows one. */
export function Address(description: string) {
  return Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
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

/** A whole number of base units that is never negative. The description names the token. */
export function Amount(description: string) {
  return Type.String({
    pattern: '^(0|[1-9][0-9]*)$',
    description: `${description} In base units: an integer in decimal digits.`,
    examples: ['1250000000'],
  });
}

/** The same, but it may be negative: `realized` and `unrealized`. */
export function SignedAmount(description: string) {
  return Type.String({
    pattern: '^(0|-?[1-9][0-9]*)$',
    description: `${description} In base units: an integer in decimal digits, with a minus sign when negative.`,
    examples: ['-4200000'],
  });
}

/** An instant in UTC. */
export function DateTime(description: string) {
  return Type.String({
    format: 'date-time',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$',
    description: `${description} ISO 8601 in UTC, ending in Z.`,
    examples: ['2026-07-01T12:00:00.000Z'],
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
    description: `${description} A fraction per year: 0.045 is 4.5 %.`,
    examples: [0.045],
  });
}

/** US dollars. Where no price may be held, wrap it in Nullable. */
export function Usd(description: string) {
  return Type.Number({ description: `${description} In US dollars.`, examples: [1250.42] });
}

export function Percent(description: string) {
  return Type.Number({ description: `${description} In percent, 0 to 100.`, examples: [12.5] });
}

export function Text(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

export function OneOf<const Values extends string[]>(values: Values, description: string) {
  return Type.Enum(values, { description, examples: [values[0]!] });
}

/** null where it is unknown: never a zero that was invented. */
export function Nullable<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
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

/** The body of every answer that is not 2xx: RFC 9457. */
export const Problem = Shape(
  {
    type: Text('Always about:blank: the status says which kind of problem it is.', 'about:blank'),
    title: Text('The words of the HTTP status.', 'Bad Request'),
    status: Type.Integer({
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status.',
      examples: [400],
    }),
    detail: Type.Optional(
      Text(
        'What went wrong with this request, and what to do.',
        'limit must be a whole number from 1 to 500',
      ),
    ),
    code: Type.Optional(
      Text('With 409 only: what went wrong, for programs.', 'payment_identifier_conflict'),
    ),
    errors: Type.Optional(
      List(
        Shape(
          {
            parameter: Text('The name of the parameter.', 'limit'),
            reason: Text(
              'Finishes the sentence that its name begins.',
              'must be a whole number from 1 to 500',
            ),
          },
          'One parameter that cannot be used.',
        ),
        'With 400 only: every parameter that cannot be used.',
      ),
    ),
    successor: Type.Optional(
      Nullable(
        Text('A URL of this API.', '/v1/vaults/svcusd'),
        'With 410 only: the URL that replaces the one asked for; null where it cannot be known.',
      ),
    ),
    chains: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'With 503 of /health/ready only: the state of every chain.',
      }),
    ),
  },
  'What went wrong, as RFC 9457 has it.',
);
