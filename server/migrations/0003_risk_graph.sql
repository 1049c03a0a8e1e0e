-- What each source says of a node: its facts, and the edges that begin at it.
create table risk_record (
  source     text not null,
  id         text collate "C" not null,
  label      text not null,
  body       jsonb not null,
  -- of label and body; updated_at moves only with it
  hash       text not null,
  updated_at bigint not null,
  primary key (source, id)
);
create index risk_record_by_id on risk_record (id);

-- The records of all sources, merged fact by fact.
create table risk_node (
  id         text collate "C" primary key,
  label      text not null,
  facts      jsonb not null,
  -- which source each fact is from
  sources    jsonb not null,
  updated_at bigint not null
);

create table risk_edge (
  source_id  text collate "C" not null,
  type       text not null,
  target_id  text collate "C" not null,
  -- above 0, at most 1
  weight     double precision not null,
  source     text not null,
  -- leads to a node that no source has told of yet: nobody reads it until then
  dangling   boolean not null,
  updated_at bigint not null,
  primary key (source_id, type, target_id)
);
create index risk_edge_by_target on risk_edge (target_id);

create table risk_grade (
  id             text collate "C" primary key,
  grade          text not null,
  score          smallint not null,
  coverage       double precision not null,
  breakdown      jsonb not null,
  method_version text not null,
  input_hash     text not null,
  graded_at      bigint not null
);

-- The last import of each source that changed anything.
create table risk_import (
  source text primary key,
  at     bigint not null,
  -- of what was read, where the reader knows it beforehand
  hash   text,
  counts jsonb not null,
  report jsonb not null
);

-- One row: how often the graph has changed.
create table risk_version (
  single  boolean primary key default true check (single),
  version bigint not null
);
