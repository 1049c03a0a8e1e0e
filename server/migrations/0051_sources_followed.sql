-- Whether the source was at the head of its chain before: what it reads since is news, not history. Sources at the head are
-- marked with their next blocks too.
alter table source add column followed boolean not null default false;
update source s set followed = true from chain c
  where c.chain_id = s.chain_id and c.backfilled and s.readable and s.indexed_block >= c.indexed_block;
