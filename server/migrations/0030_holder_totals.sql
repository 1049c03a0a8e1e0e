-- How many wallets hold shares of a family, and how many shares these are. A trigger counts, so that an indexer of an
-- older version counts too while it still runs.
create table holder_total (
  family_id smallint primary key,
  holders   bigint not null,
  shares    numeric(78,0) not null
);

create function count_holders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into holder_total as kept (family_id, holders, shares)
      select family_id, count(*), sum(shares) from added where shares > 0 group by family_id
      on conflict (family_id) do update set holders = kept.holders + excluded.holders,
        shares = kept.shares + excluded.shares;
  elsif tg_op = 'DELETE' then
    update holder_total kept set holders = kept.holders - gone.holders, shares = kept.shares - gone.shares
      from (select family_id, count(*) as holders, sum(shares) as shares from removed where shares > 0
        group by family_id) gone
      where kept.family_id = gone.family_id;
  else
    insert into holder_total as kept (family_id, holders, shares)
      select family_id, sum(holders), sum(shares) from (
        select family_id, 1 as holders, shares from added where shares > 0
        union all
        select family_id, -1, -shares from removed where shares > 0) changed
      group by family_id
      on conflict (family_id) do update set holders = kept.holders + excluded.holders,
        shares = kept.shares + excluded.shares;
  end if;
  return null;
end $$;

-- From here to the end of the transaction no other session writes positions: each is either in the first count or counted later.
create trigger position_added after insert on position
  referencing new table as added for each statement execute function count_holders();
create trigger position_changed after update on position
  referencing old table as removed new table as added for each statement execute function count_holders();
create trigger position_removed after delete on position
  referencing old table as removed for each statement execute function count_holders();

insert into holder_total (family_id, holders, shares)
  select family_id, count(*), sum(shares) from position where shares > 0 group by family_id;
