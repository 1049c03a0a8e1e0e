import { Type } from 'typebox';
import { SHOWN_UNITS } from '../domain/alerts/present.ts';
import { ALERT_KINDS } from '../domain/alerts/rule.ts';
import { ChainId, List, Nullable, OneOf, Shape, Slug, Text, UnixTime } from './schemas.ts';

const NAME = 'Name of the alert in the configuration.';
const KIND = 'What the alert watches.';
const UNIT =
  'Unit of the value: percent; base-units of the base asset; seconds; count, a number of changes.';

const alert = Shape(
  {
    name: Text(NAME),
    kind: OneOf(ALERT_KINDS, KIND),
    family: Slug('The vault family.'),
    chainId: ChainId(
      'The chain that the alert is about; for an alert about the entire family, its first settlement chain.',
    ),
    state: OneOf(['firing', 'clear'], 'Whether the alert is active.'),
    since: Nullable(
      UnixTime('When it fired or cleared last.'),
      'When it fired or cleared last; null if it never fired.',
    ),
    value: Nullable(Text('The last measured value.'), 'The last measured value; null if unknown.'),
    unit: OneOf(SHOWN_UNITS, UNIT),
    decimals: Nullable(
      Type.Integer({ minimum: 0, description: 'Decimals of the base asset.' }),
      'Decimals of the base asset; null for other units, and if unknown.',
    ),
  },
  'An alert of a family.',
);

const transition = Shape(
  {
    id: Text('Identifies the transition, also in `/v1/events`.'),
    name: Text(NAME),
    kind: OneOf(ALERT_KINDS, KIND),
    status: OneOf(['fired', 'cleared'], 'What happened.'),
    at: UnixTime('When it was measured.'),
    value: Text('The measured value.'),
    bound: Text('The value at which it fires or clears.'),
    unit: OneOf(SHOWN_UNITS, UNIT),
    family: Slug('The vault family.'),
    chainId: ChainId('The chain of the block.'),
    blockNumber: Type.Integer({ minimum: 0, description: 'The newest block before that time.' }),
  },
  'One time that an alert fired or cleared.',
);

export const alertsSchema = Shape(
  {
    alerts: List(alert, 'Alerts that were evaluated, by name.'),
    recent: List(transition, 'When alerts fired and cleared, newest first.'),
  },
  'Alerts and their last transitions.',
);

export const alertsExample = {
  alerts: [
    {
      name: 'price-fall',
      kind: 'share-price-falls' as const,
      family: 'svcusd',
      chainId: 8453,
      state: 'firing' as const,
      since: 1_769_860_800,
      value: '0.75',
      unit: 'percent' as const,
      decimals: null,
    },
  ],
  recent: [
    {
      id: 'alert-12',
      name: 'price-fall',
      kind: 'share-price-falls' as const,
      status: 'fired' as const,
      at: 1_769_860_800,
      value: '0.75',
      bound: '0.5',
      unit: 'percent' as const,
      family: 'svcusd',
      chainId: 8453,
      blockNumber: 41_412_050,
    },
  ],
};
