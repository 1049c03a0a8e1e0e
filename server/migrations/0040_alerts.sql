-- How far the alerts of a family were evaluated. What state an alert is in follows from its transitions.
create table alert (
  name            text not null,
  family_id       smallint not null,
  -- the family's first settlement chain, or the chain that the alert is about
  chain_id        bigint not null,
  kind            text not null,
  evaluated_until bigint not null,
  -- as last measured; null: unknown
  value           numeric(78,0),
  -- grade that the next one is compared with
  reference       smallint,
  primary key (name, family_id, chain_id)
);

-- Each time that an alert fired or cleared. A retracted one no longer counts.
create table alert_transition (
  id            bigint generated always as identity primary key,
  name          text not null,
  family_id     smallint not null,
  chain_id      bigint not null,
  kind          text not null,
  -- fired 1 | cleared 2
  status        smallint not null,
  at            bigint not null,
  block_number  bigint not null,
  value         numeric(78,0) not null,
  bound         numeric(78,0) not null,
  -- measured by the clock: no reorg retracts it
  by_clock      boolean not null,
  targets       text[] not null,
  -- batches of the feed that announced it
  applied_seq   bigint,
  final_seq     bigint,
  retracted_seq bigint
);
create index alert_transition_by_alert on alert_transition (family_id, name, chain_id, at);
create index alert_transition_by_applied on alert_transition (applied_seq) where applied_seq is not null;
create index alert_transition_by_final on alert_transition (final_seq) where final_seq is not null;
create index alert_transition_by_retracted on alert_transition (retracted_seq) where retracted_seq is not null;
create index alert_transition_to_finalize on alert_transition (family_id) where final_seq is null and retracted_seq is null;

-- Messages that were not delivered yet, to one target in order.
create table alert_message (
  transition_id bigint not null,
  retracted     boolean not null,
  target        text not null,
  attempts      integer not null default 0,
  due_at        bigint not null,
  primary key (target, transition_id, retracted)
);
