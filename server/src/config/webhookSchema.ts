import { type Static, Type } from 'typebox';
import { EVENT_TYPES, OPERATOR_EVENT_TYPES } from '../domain/events/event.ts';
import type { WebhookConfig } from './config.ts';
import { mapping, pattern } from './schemaFields.ts';

/** 24 to 64 bytes of a shared secret; 32 bytes of an ed25519 key, or 64 with the public key after it. */
const KEY = '^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|whsk_([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==))$';

const TYPES = [...EVENT_TYPES, ...OPERATOR_EVENT_TYPES];

const webhook = mapping(
  {
    name: pattern('^[a-z0-9][a-z0-9-]{0,62}$', {
      description:
        'Identifies the endpoint in commands, logs, and metrics. Its position is stored under this name.',
      errorMessage: 'must be lower-case letters, digits, and hyphens, such as my-backend',
      examples: ['my-backend'],
    }),
    url: Type.String({
      pattern: '^https?://[^\\s/?#]+\\S*$',
      format: 'uri',
      writeOnly: true,
      description: 'Where events are posted. Redirects are not followed.',
      errorMessage: 'must be a URL that starts with https:// or http://',
      examples: ['https://hooks.example.com/assay'],
    }),
    secrets: Type.Array(
      pattern(KEY, {
        description: 'A signing key, preferably an environment reference.',
        errorMessage:
          'must be whsec_ and 24 to 64 bytes in base64 (HMAC), or whsk_ and an ed25519 private key in base64',
        examples: [`\${WEBHOOK_SECRET}`],
        writeOnly: true,
      }),
      {
        minItems: 1,
        description:
          'Keys that sign each message by Standard Webhooks: `whsec_…` (HMAC-SHA256) or `whsk_…` (ed25519). To change a key, list the old and the new one until the receiver uses the new one.',
        errorMessage: `must be a list of signing keys, such as ["\${WEBHOOK_SECRET}"]`,
      },
    ),
    types: Type.Optional(
      Type.Array(
        Type.Enum(TYPES, {
          description: 'A type of event.',
          errorMessage: `must be one of ${TYPES.join(', ')}`,
        }),
        {
          minItems: 1,
          description: `Types of events to deliver. Default: all but ${OPERATOR_EVENT_TYPES.join(', ')}, which must be listed.`,
          errorMessage: 'must be a list of types, such as [history]; remove it to deliver all',
        },
      ),
    ),
    families: Type.Optional(
      Type.Array(
        pattern('^.+$', {
          description: 'Slug of a family.',
          errorMessage: 'must be the slug of a family',
        }),
        {
          minItems: 1,
          description: 'Families whose events to deliver. Default: all.',
          errorMessage: 'must be a list of slugs; remove it to deliver all',
        },
      ),
    ),
    delivery: Type.Optional(
      Type.Enum(['applied', 'final'], {
        description:
          'applied: deliver rows at once, and retract those that a reorg removes. final: deliver rows only when their block is final.',
        errorMessage: 'must be applied or final',
        default: 'applied',
      }),
    ),
    allowPrivate: Type.Optional(
      Type.Boolean({
        description:
          'Allows http:// and addresses that are not public, such as those of a private network.',
        errorMessage: 'must be true or false',
        default: false,
      }),
    ),
  },
  'An endpoint that events are posted to.',
);

export const webhooks = Type.Array(webhook, {
  description:
    'Endpoints that receive the events of `/v1/events` as signed requests, in order and at least once: docs/events.md. `assay webhooks list` shows their states.',
  errorMessage: 'must be a list of endpoints',
});

export function toWebhooks(read: Static<typeof webhooks>): WebhookConfig[] {
  return read.map(({ delivery = 'applied', allowPrivate = false, ...endpoint }) => {
    return { ...endpoint, delivery, allowPrivate };
  });
}
