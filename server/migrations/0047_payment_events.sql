-- Payments in the feed, for the operator only: one row per change of what was charged, in the transaction that makes the change. A trigger
-- writes it, so that a process of an older version announces its payments too while it still runs.
create table payment_event (
  -- of the batch
  seq          bigint not null,
  place        integer not null,
  -- 0: not seen in any block yet
  block_number bigint not null,
  -- when it was settled
  at           bigint not null,
  payer        bytea not null,
  -- the charge was final, which only an operator's deletion can take back
  was_final    boolean not null,
  -- JSON: the payment as of the change
  detail       text not null,
  primary key (seq, place)
);

-- Charged are the states 3 (settled) and 7 (found). Batches are of state 1 (applied), 2 (retracted), or 3 (final).
create function announce_payment() returns trigger language plpgsql as $$
declare
  charge payment;
  announced smallint;
  batch bigint;
  places integer;
begin
  if tg_op = 'DELETE' then
    charge := old;
    announced := 2;
  elsif new.state in (3, 7) then
    charge := new;
    announced := case when new.final_at is null then 1 else 3 end;
  else
    charge := old;
    announced := 2;
  end if;
  -- Payments that one transaction changes in the same way are one batch: who wrote the newest batch has the lock on its number.
  select b.seq into batch from event_head h join event_batch b on b.seq = h.seq
    where b.xmin = pg_current_xact_id()::xid and b.state = announced and b.chain_id = charge.chain_id
      and exists (select from payment_event e where e.seq = b.seq);
  if batch is null then
    update event_head set seq = seq + 1 returning seq into batch;
    insert into event_batch (seq, tag, chain_id, state, families, from_block, to_block, from_time, to_time, committed_at)
      values (batch, floor(random() * 2147483647)::integer, charge.chain_id, announced, '{}', 1, 0, 0, 0,
        extract(epoch from now())::bigint);
    perform pg_notify('assay_events', '');
  end if;
  select coalesce(max(e.place), 0) + 1 into places from payment_event e where e.seq = batch;
  insert into payment_event (seq, place, block_number, at, payer, was_final, detail)
    values (batch, places, coalesce(charge.block_number, 0), coalesce(charge.settled_at, charge.claimed_at), charge.payer,
      charge.final_at is not null, json_build_object(
        'asset', '0x' || encode(charge.asset, 'hex'), 'payer', '0x' || encode(charge.payer, 'hex'),
        'nonce', '0x' || encode(charge.nonce, 'hex'), 'payTo', '0x' || encode(charge.pay_to, 'hex'),
        'amount', charge.value::text, 'route', charge.route, 'calls', charge.calls, 'isRecorded', charge.state <> 7,
        'transactionHash', '0x' || encode(charge.transaction_hash, 'hex'), 'settledAt', charge.settled_at,
        'finalAt', charge.final_at, 'refundedAt', charge.refunded_at,
        'refundHash', '0x' || encode(charge.refund_hash, 'hex'))::text);
  return null;
end $$;

create trigger payment_found after insert on payment for each row
  when (new.state in (3, 7)) execute function announce_payment();
create trigger payment_changed after update on payment for each row
  when ((old.state in (3, 7)) <> (new.state in (3, 7)) or (new.state in (3, 7) and (
    old.transaction_hash is distinct from new.transaction_hash or (old.final_at is null and new.final_at is not null)
    or old.refunded_at is distinct from new.refunded_at)))
  execute function announce_payment();
create trigger payment_taken_back after delete on payment for each row
  when (old.state in (3, 7)) execute function announce_payment();
