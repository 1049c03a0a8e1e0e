-- How far each configured webhook endpoint is. A row stays when its endpoint is removed from the configuration, so that
-- one that comes back continues where it was.
create table webhook (
  name          text primary key,
  -- position in the feed: every event up to here was delivered or passed over
  batch         bigint not null,
  tag           integer not null,
  block_number  bigint not null,
  log_index     integer not null,
  rank          bigint not null,
  -- how often the position was set by an operator: a delivery that was sent before does not move it
  replays       integer not null default 0,
  -- attempts so far, for their place in the ring
  sent          bigint not null default 0,
  delivered_at  bigint,
  -- failed attempts since the last delivery
  attempts      integer not null default 0,
  failing_since bigint,
  -- Unix milliseconds, because the first retries follow fast
  retry_at      bigint,
  last_error    text,
  paused_at     bigint,
  -- command | retries | unsubscribed
  pause_reason  text
);

-- The newest attempts of each endpoint: a ring, so it needs no cleanup.
create table webhook_attempt (
  name         text not null,
  slot         smallint not null,
  number       bigint not null,
  at           bigint not null,
  message_id   text not null,
  -- cursor before the message
  after_cursor text not null,
  events       integer not null,
  -- null: no HTTP response
  status       integer,
  -- null: delivered
  error        text,
  ms           integer not null,
  primary key (name, slot)
);
