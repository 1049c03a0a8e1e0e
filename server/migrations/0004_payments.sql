-- One row per authorization that was ever taken up, under its normal form: the same payment in other spellings meets
-- the same row. Times are Unix seconds, amounts base units.
create table payment (
  chain_id      bigint not null,
  asset         bytea not null,
  payer         bytea not null,
  nonce         bytea not null,
  value         numeric(78,0) not null,
  pay_to        bytea not null,
  valid_after   bigint not null,
  valid_before  bigint not null,
  signature     bytea not null,
  -- the payment-identifier extension: who repeats it gets the same answer again
  identifier    text,
  -- the priced route, for reports; and the hash of method, path and query that it pays for
  route         text not null,
  request       bytea not null,
  -- 1 claimed, 2 settling, 3 settled, 4 released, 5 unknown
  state         smallint not null,
  -- the process that works on it; nobody else may until the lease has run out
  owner         text not null,
  lease_until   bigint not null,
  -- a block before which the authorization was not used
  from_block    bigint not null,
  claimed_at    bigint not null,
  -- the answer, kept before anything is broadcast
  answer_status  smallint,
  answer_headers text,
  answer_body    bytea,
  answer_until   bigint,
  transaction_hash bytea,
  settled_at     bigint,
  delivered_at   bigint,
  refund_hash    bytea,
  refunded_at    bigint,
  primary key (chain_id, asset, payer, nonce)
);
-- One identifier stands for one payment, unless that one came to nothing.
create unique index payment_identifier on payment (payer, identifier)
  where identifier is not null and state <> 4;
create index payment_open on payment (lease_until) where state in (1, 2, 5);
create index payment_released on payment (valid_before) where state = 4;
create index payment_settled on payment (settled_at) where state = 3;
create index payment_undelivered on payment (settled_at)
  where state = 3 and delivered_at is null and refunded_at is null;
-- One transfer pays back one payment.
create unique index payment_refund on payment (refund_hash) where refund_hash is not null;
create index payment_answers on payment (answer_until) where answer_body is not null;

-- How much each payer has settled: what the price of the next call depends on.
create table payer (
  payer         bytea primary key,
  settled_calls bigint not null,
  settled_value numeric(78,0) not null
);
