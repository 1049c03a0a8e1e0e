import { EntitySchema } from 'typeorm';

// Subsquid itself loads this file by its name, `lib/model`.

export class Event {
  constructor(values) {
    Object.assign(this, values);
  }
}

export class Account {
  constructor(values) {
    Object.assign(this, values);
  }
}

const amount = {
  type: 'numeric',
  precision: 78,
  scale: 0,
  transformer: { to: (value) => value?.toString(), from: (text) => BigInt(text) },
};

export const eventTable = new EntitySchema({
  name: 'Event',
  target: Event,
  schema: 'bench',
  tableName: 'event',
  columns: {
    block: { type: 'integer', primary: true },
    logIndex: { type: 'integer', primary: true },
    time: { type: 'bigint' },
    name: { type: 'text' },
    wallet: { type: 'text' },
    assets: amount,
    shares: amount,
    instant: { type: 'boolean' },
    transaction: { type: 'text' },
  },
});

export const accountTable = new EntitySchema({
  name: 'Account',
  target: Account,
  schema: 'bench',
  tableName: 'account',
  columns: {
    // The store upserts by a property of this name.
    id: { name: 'wallet', type: 'text', primary: true },
    shares: amount,
    deposited: amount,
    withdrawn: amount,
    events: { type: 'integer' },
  },
});

export const TABLES = `
  create schema bench;
  create table bench.event (
    block integer not null, log_index integer not null, time bigint not null, name text not null,
    wallet text not null, assets numeric(78) not null, shares numeric(78) not null,
    instant boolean not null, transaction text not null, primary key (block, log_index));
  create table bench.account (
    wallet text primary key, shares numeric(78) not null, deposited numeric(78) not null,
    withdrawn numeric(78) not null, events integer not null);`;
