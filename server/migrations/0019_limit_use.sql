-- What processes have let through of late, so that a limit holds over all of them. Worth nothing after a crash.
create unlogged table limit_use (
  owner    text not null,
  limiter  text not null,
  key      text not null,
  -- Since the row was made.
  taken    bigint not null,
  at       timestamptz not null,
  primary key (owner, limiter, key)
);
