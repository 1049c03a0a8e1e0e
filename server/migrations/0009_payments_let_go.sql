-- What was sent and let go can still be paid by a branch of the chain that wins later. So it is looked at once more when
-- its time is over in a block that is final; final_at says when that was.
alter table payment add column sent boolean not null default true;
alter table payment alter column sent set default false;
create index payment_let_go on payment (valid_before) where state = 4 and sent and final_at is null;
