-- When each timeline of a PostgreSQL cluster was first used: rows that the one before took last may be missing.
create table store_timeline (
  timeline      bigint primary key,
  first_used_at bigint not null
);
