/**
 * Every type of event with the row that it is about and the fields of its `data`. The store keeps the index of a type:
 * append new ones.
 */
const TYPES = [
  ['history', 'an item of `/v1/history`', 'the item as in `/v1/history`'],
  ['share-price', 'a share price that the vault published', '`assetsPerShare` in base units'],
  [
    'pool',
    'a pool was added, changed, or removed',
    '`offchainId`, `status` (active, exit-only, removed), `riskScore`, `idleOnly`',
  ],
  [
    'tick',
    'a data point of the series of a family, only if the operator turned it on and only with `delivery=applied`',
    '`tvl`, `assetsPerShare`, `totalShares` in base units, `usd`, `apy7d`',
  ],
  [
    'price-outage',
    "the USD price of a family's base asset ended (`ended` is false) or came back (true)",
    '`feed`, `ended`',
  ],
  [
    'state',
    'the state of a chain, or of a family on a chain',
    '`state` (chain: live, syncing, unreachable, stale; family: current, syncing, halted), `gaps`: number of ranges without data',
  ],
  ['grade', 'the risk grade of a node changed', '`nodeId`'],
  [
    'governance',
    'an item of `/v1/vaults/{slug}/governance`',
    'the item as in `/v1/vaults/{slug}/governance`',
  ],
  ['alert', 'an alert fired or cleared', 'a transition as in `recent` of `/v1/alerts`'],
  ['payment', 'a payment was charged', ''],
] as const;

/** What an event reports. */
export type EventType = (typeof TYPES)[number][0];

/** All types, in the order of their numbers in the store. */
export const STORED_EVENT_TYPES: readonly EventType[] = TYPES.map(([name]) => name);

/** Types that only webhooks of the operator get, and only those that list them. */
export const OPERATOR_EVENT_TYPES: readonly EventType[] = ['payment'];

/** Types that every client can read. */
export const EVENT_TYPES: readonly EventType[] = STORED_EVENT_TYPES.filter(
  (type) => !OPERATOR_EVENT_TYPES.includes(type),
);

/** By index in `STORED_EVENT_TYPES`, which the store has. */
export const EVENT_TYPE = Object.fromEntries(
  STORED_EVENT_TYPES.map((name, i) => [name, i]),
) as Readonly<Record<EventType, number>>;

const PUBLIC = TYPES.filter(([name]) => EVENT_TYPES.includes(name));

/** Describes each type for the reference: the row. */
export const EVENT_ROWS = PUBLIC.map(([name, row]) => `${name}: ${row}`).join('; ');

/** Describes each type for the reference: the fields of the row. */
export const EVENT_FIELDS = PUBLIC.map(([name, , fields]) => `${name}: ${fields}`).join('; ');
