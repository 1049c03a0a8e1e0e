-- Which version of the published tables a publication for logical replication has. Published itself, for subscribers.
create table publication_version (
  publication  text primary key,
  version      integer not null,
  published_at bigint not null
);
-- A published table whose rows are deleted needs a key: without one, PostgreSQL rejects the deletion.
alter table event_retracted add column id bigint generated always as identity primary key;
