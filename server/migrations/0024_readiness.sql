-- When the server was first ready. A store that was ready once stays ready, whatever is missing later.
create table readiness (
  ready_at bigint not null
);
create unique index readiness_once on readiness ((true));
-- Stores from before this table were ready as soon as their chains were backfilled.
insert into readiness (ready_at)
  select max(updated_at) from chain where backfilled having count(*) > 0;

-- When the operator last requested to fill the gap (assay fill): the indexer then tries at once.
alter table gap add column requested_at bigint;
