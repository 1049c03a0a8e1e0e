import { type Static, Type } from 'typebox';
import { ALERT_KINDS } from '../domain/alerts/rule.ts';
import { mapping, pattern } from './schemaFields.ts';

export const ALERT_DEFAULTS = { silence: '1h', within: '1h', gradeWithin: '24h' } as const;

const DURATION = '(0|[1-9][0-9]{0,4})[smhd]';
const PERCENT = '(0|[1-9][0-9]{0,5})(\\.[0-9]{1,4})?%';

const duration = (description: string, example: string) =>
  pattern(`^${DURATION}$`, {
    description,
    errorMessage: 'must be a time such as 90s, 30m, 6h, or 7d',
    examples: [example],
  });

const percent = (description: string, example: string) =>
  pattern(`^${PERCENT}$`, {
    description,
    errorMessage: 'must be a percentage such as 0.5%',
    examples: [example],
  });

/** An amount, a time, or a percentage: the kind determines which. */
const bound = (description: string, example: string | number) =>
  Type.Union(
    [
      Type.Number({ minimum: 0, maximum: 1e15 }),
      Type.String({ pattern: `^(${DURATION}|${PERCENT}|[0-9]{1,30}(\\.[0-9]{1,18})?)$` }),
    ],
    {
      description,
      errorMessage:
        'must be an amount such as 250000, a time such as 30m, or a percentage such as 5%',
      examples: [example],
    },
  );

const secretUrl = (service: string, variable: string) =>
  Type.String({
    pattern: '^https?://[^\\s/?#@]+\\S*$',
    format: 'uri',
    writeOnly: true,
    description: `URL of a ${service}, as an environment reference.`,
    errorMessage: 'must be a URL that starts with https://',
    examples: [`\${${variable}}`],
  });

const target = mapping(
  {
    slack: Type.Optional(secretUrl('Slack incoming webhook', 'SLACK_WEBHOOK_URL')),
    discord: Type.Optional(secretUrl('Discord webhook', 'DISCORD_WEBHOOK_URL')),
    telegram: Type.Optional(
      Type.String({
        pattern: '^[0-9]+:[A-Za-z0-9_-]+$',
        writeOnly: true,
        description: 'Token of a Telegram bot, as an environment reference; needs `chat`.',
        errorMessage: 'must be the token of a bot, such as 123456:ABC-DEF',
        examples: [`\${TELEGRAM_TOKEN}`],
      }),
    ),
    chat: Type.Optional(
      pattern('^(-?[0-9]+|@[A-Za-z0-9_]+)$', {
        description: 'Telegram chat: its id in quotes, or @name of a channel.',
        errorMessage: 'must be the id of a chat in quotes, or the @name of a channel',
        examples: ['-1001234567890'],
      }),
    ),
    allowPrivate: Type.Optional(
      Type.Boolean({
        description:
          'Allows addresses that are not public, such as those of a private network, for slack and discord.',
        errorMessage: 'must be true or false',
        default: false,
      }),
    ),
  },
  'Where messages are sent: one of slack, discord, and telegram.',
);

const NAME = '^[a-z0-9][a-z0-9-]{0,62}$';

const rule = mapping(
  {
    name: pattern(NAME, {
      description: 'Name of the alert.',
      errorMessage: 'must be a name in lower-case letters, digits and dashes, such as price-fall',
      examples: ['price-fall'],
    }),
    kind: Type.Enum([...ALERT_KINDS], {
      description: 'What the alert watches; docs/alerts.md describes each kind and its keys.',
      errorMessage: `must be one of ${ALERT_KINDS.join(', ')}`,
      examples: ['share-price-falls'],
    }),
    families: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Slugs of the families it is for. Default: all.',
        errorMessage: 'must be a list of slugs, such as [svcusd]',
      }),
    ),
    by: Type.Optional(
      percent('Change at which it fires, relative to the highest or lowest value.', '0.5%'),
    ),
    within: Type.Optional(
      duration(
        'Time over which changes and amounts are measured. Default: 1h; 24h for grade-changed.',
        '1h',
      ),
    ),
    above: Type.Optional(
      bound(
        'Value at which it fires: an amount of the base asset, a time, or an APY in percent.',
        250_000,
      ),
    ),
    below: Type.Optional(percent('APY in percent below which apy-outside fires.', '2%')),
    clear: Type.Optional(
      bound(
        'Value at which it clears, in the form of `by` or `above`. Default: half of it. For apy-outside: how far inside the band, default 0.25%.',
        '0.2%',
      ),
    ),
    silence: Type.Optional(
      duration(
        `Time after it fired in which it does not fire again. Default: ${ALERT_DEFAULTS.silence}; 0s turns it off.`,
        '6h',
      ),
    ),
    targets: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Names of the targets that get messages. Default: all.',
        errorMessage: 'must be a list of names of targets, such as [ops]',
      }),
    ),
  },
  'An alert.',
);

export const alerts = mapping(
  {
    targets: Type.Optional(
      Type.Record(Type.String({ pattern: NAME }), target, {
        additionalProperties: false,
        description: 'Where messages are sent, by name.',
        errorMessage: 'must be a name in lower-case letters, digits and dashes, such as ops',
      }),
    ),
    rules: Type.Array(rule, {
      description: 'The alerts.',
      errorMessage: 'must be a list of alerts',
      examples: [[{ name: 'price-fall', kind: 'share-price-falls', by: '0.5%' }]],
    }),
  },
  'Alerts about families. They are evaluated while a family is followed at the head of its chains, never for historical blocks.',
);

export type AlertsFile = Static<typeof alerts>;
