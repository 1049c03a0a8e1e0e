-- What is left of a chain's daily calls to its nodes, for all processes together and over restarts.
create table call_use (
  chain_id  bigint primary key,
  -- Calls that may be sent at once, at that time; below zero after more were sent.
  remaining double precision not null,
  at        timestamptz not null
);
