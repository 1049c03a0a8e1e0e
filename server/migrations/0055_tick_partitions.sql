-- The tick tables are partitioned by time, so that the space of thinned ticks can be given back one partition at a time.
-- The existing table becomes the first partition. It has every time, so PostgreSQL neither scans nor copies it.
do $$
declare
  whole text;
  given record;
  published text;
begin
  foreach whole in array array['pool_tick', 'chain_tick', 'tick'] loop
    published := (select string_agg(quote_ident(name), ', ') from pg_publication_tables p, unnest(p.attnames) name
      where p.pubname = 'assay' and p.schemaname = current_schema() and p.tablename = whole);
    execute format('alter table %I rename to %I', whole, whole || '_first');
    execute format('alter index %I rename to %I', whole || '_pkey', whole || '_first_pkey');
    execute format('create table %I (like %I including all) partition by range (at)', whole, whole || '_first');
    execute format('alter table %I attach partition %I for values from (minvalue) to (maxvalue)', whole, whole || '_first');
    -- Privileges that an operator granted, for example to a role that only reads.
    for given in select a.grantee, a.privilege_type from pg_class c, aclexplode(c.relacl) a
      where c.oid = to_regclass(quote_ident(whole || '_first')) and a.grantee <> c.relowner
    loop
      execute format('grant %s on %I to %s', given.privilege_type, whole,
        case given.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end);
    end loop;
    if published is not null then
      execute format('alter publication assay drop table %I', whole || '_first');
      execute format('alter publication assay add table %I (%s)', whole, published);
    end if;
  end loop;
end $$;

create view tick_partition as
  select whole.relname::text as whole, part.relname::text as name, part.oid as id,
    substring(bound.text from 'FROM \(''?(-?[0-9]+)')::bigint as lower,
    substring(bound.text from 'TO \(''?(-?[0-9]+)')::bigint as upper
  from pg_inherits i
  join pg_class part on part.oid = i.inhrelid
  join pg_class whole on whole.oid = i.inhparent and whole.relkind = 'p'
  cross join lateral (select pg_get_expr(part.relpartbound, part.oid) as text) bound
  where whole.relname in ('pool_tick', 'chain_tick', 'tick')
    and whole.relnamespace = (select oid from pg_namespace where nspname = current_schema());

-- The partition that is being copied to a new table, which replaces it when it is complete.
create table tick_rewrite (
  partition text primary key,
  -- The copy ends before this time, and a new partition begins there; null: it ends where the partition does.
  cut       bigint,
  -- The file that the pages belong to: in a restored store, or after VACUUM FULL, rows are on other pages.
  file      text not null,
  next_page bigint not null,
  pages     bigint not null,
  -- The transaction that copied the last page.
  copied_in xid8,
  -- False after a row that the copy cannot contain.
  valid     boolean not null
);

-- What the last copy of a partition had: it is not copied again before it has lost rows or grown.
create table tick_rewritten (
  partition text primary key,
  live      double precision not null,
  bytes     bigint not null
);

create function tick_file(id oid) returns text language sql as $$
  select concat_ws('/', (select system_identifier from pg_control_system()), id, pg_relation_filenode(id))
$$;

-- Repeats in the copy what happens to a row of the partition. Never fails a writer: a row that does not fit voids the copy.
create function tick_rewrite_mirror() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    execute format('delete from %I t where %s', tg_table_name || '_new', tg_argv[0]) using old;
  end if;
  if tg_op <> 'DELETE' then
    if tg_argv[1] <> '' and new.at >= tg_argv[1]::bigint then
      update tick_rewrite set valid = false where partition = tg_table_name and valid;
    else
      execute format('insert into %I select ($1).*', tg_table_name || '_new') using new;
    end if;
  end if;
  return null;
end $$;

create function tick_rewrite_start(part tick_partition, cut bigint) returns void language plpgsql as $$
declare
  copy text := part.name || '_new';
  keys text := (select string_agg(format('t.%1$I = ($1).%1$I', a.attname), ' and ')
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = part.id and i.indisprimary);
  upper bigint := coalesce(cut, part.upper);
begin
  execute format('create table %I (like %I including all)', copy, part.name);
  -- With it, PostgreSQL does not scan the copy when it becomes the partition.
  execute format('alter table %I add constraint tick_rewrite check (at >= %L::bigint and at < %L::bigint)', copy,
    coalesce(part.lower, -9223372036854775808), coalesce(upper, 9223372036854775807));
  -- Waits for writers, so every later change is mirrored.
  execute format('create trigger tick_rewrite after insert or update or delete on %I for each row
    execute function tick_rewrite_mirror(%L, %L)', part.name, keys, coalesce(upper::text, ''));
  insert into tick_rewrite (partition, cut, file, next_page, pages, valid)
    values (part.name, cut, tick_file(part.id), 0,
      pg_relation_size(part.id) / current_setting('block_size')::bigint, true);
end $$;

create function tick_rewrite_drop(given_up tick_rewrite) returns void language plpgsql as $$
begin
  if to_regclass(quote_ident(given_up.partition)) is not null then
    execute format('drop trigger if exists tick_rewrite on %I', given_up.partition);
  end if;
  execute format('drop table if exists %I', given_up.partition || '_new');
  delete from tick_rewrite where partition = given_up.partition;
end $$;

-- Writers wait for these pages, readers do not: a row that changes meanwhile would be copied as it was before.
create function tick_rewrite_copy(current tick_rewrite, page_count integer) returns void language plpgsql as $$
declare
  until bigint := least(current.next_page + page_count, current.pages);
begin
  execute format('lock table %I in share mode', current.partition);
  execute format('insert into %I select * from only %I where ctid >= %L::tid and ctid < %L::tid on conflict do nothing',
    current.partition || '_new', current.partition, format('(%s,0)', current.next_page), format('(%s,0)', until));
  if until = current.pages then
    execute format('analyze %I', current.partition || '_new');
  end if;
  update tick_rewrite set next_page = until,
    copied_in = case when until = current.pages then pg_current_xact_id() end
  where partition = current.partition;
exception when check_violation then
  update tick_rewrite set valid = false where partition = current.partition;
end $$;

-- Reads wait for this lock, so it is tried for a moment only.
create function tick_rewrite_swap(current tick_rewrite, part tick_partition) returns void language plpgsql
set lock_timeout = '200ms' as $$
declare
  copy text := part.name || '_new';
  upper bigint := coalesce(current.cut, part.upper);
begin
  execute format('lock table %I in access exclusive mode', part.whole);
  execute format('alter table %I detach partition %I', part.whole, part.name);
  execute format('drop table %I', part.name);
  execute format('alter table %I rename to %I', copy, part.name);
  execute format('alter index %I rename to %I', copy || '_pkey', part.name || '_pkey');
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', part.whole, part.name,
    coalesce(part.lower::text, 'minvalue'), coalesce(upper::text, 'maxvalue'));
  execute format('alter table %I drop constraint tick_rewrite', part.name);
  if current.cut is not null then
    execute format('create table %I partition of %I for values from (%s) to (%s)',
      part.whole || '_' || to_char(to_timestamp(current.cut) at time zone 'UTC', 'YYYY_MM_DD'), part.whole,
      current.cut, coalesce(part.upper::text, 'maxvalue'));
  end if;
  delete from tick_rewrite where partition = part.name;
  select * into part from tick_partition where name = part.name;
  insert into tick_rewritten (partition, live, bytes)
    values (part.name, coalesce(tick_live_bytes(part), 0), pg_total_relation_size(part.id))
    on conflict (partition) do update set live = excluded.live, bytes = excluded.bytes;
end $$;

-- Size that the rows of a partition would have in a new table; null without statistics.
create function tick_live_bytes(part tick_partition) returns double precision language sql as $$
  select case when c.reltuples = 0 then 0 else nullif(c.reltuples, -1) * (28 + sum(s.avg_width)
    + (16 + sum(s.avg_width) filter (where a.attnum = any(i.indkey))) / 0.7) end
  from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_stats s on s.schemaname = current_schema() and s.tablename = c.relname and s.attname = a.attname
  where c.oid = part.id group by c.reltuples
$$;

-- The first year that begins in more than a month, so that the copy is complete before its ticks arrive.
create function tick_next_cut(part tick_partition, now bigint) returns bigint language sql as $$
  select extract(epoch from (date_trunc('year', to_timestamp(greatest(part.lower, now + 30 * 86400)) at time zone 'UTC')
    + interval '1 year') at time zone 'UTC')::bigint
$$;

-- Does one short piece of the work, and returns its name; null: nothing is due. A process of any version may stop in between.
create function tick_rewrite_step(now bigint, may_start boolean, least_bytes bigint, page_count integer) returns text
language plpgsql set lock_timeout = '2s' as $$
declare
  current tick_rewrite;
  part tick_partition;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('assay tick rewrite ' || current_schema(), 0)) then
    return null;
  end if;
  select * into current from tick_rewrite limit 1;
  if found then
    select * into part from tick_partition where name = current.partition;
    if part.id is null or not current.valid or current.file <> tick_file(part.id)
      or to_regclass(quote_ident(current.partition || '_new')) is null
    then
      perform tick_rewrite_drop(current);
      return 'dropped';
    end if;
    if current.copied_in is null then
      perform tick_rewrite_copy(current, page_count);
      return 'copied';
    end if;
    -- A transaction that began before the last copied row would not find it in the new table.
    if exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type <> 'autovacuum worker' and age(backend_xmin) >= age(current.copied_in::xid))
    then
      return 'waiting';
    end if;
    perform tick_rewrite_swap(current, part);
    return 'swapped';
  end if;
  if not may_start then
    return null;
  end if;
  -- The last partition is cut while it is empty, before its second year begins.
  select * into part from tick_partition p
  where upper is null and pg_relation_size(id) = 0 and coalesce(lower, 0) <= now + 60 * 86400 limit 1;
  if found then
    perform tick_rewrite_start(part, tick_next_cut(part, now));
    return 'started';
  end if;
  select p.* into part from tick_partition p left join tick_rewritten last on last.partition = p.name,
    lateral (select tick_live_bytes(p) as live, pg_total_relation_size(p.id) as bytes) held
  where held.bytes >= least_bytes and 2 * held.live < held.bytes
    and (last.live is null or held.live < 0.7 * last.live or held.bytes > 1.5 * last.bytes)
  order by held.bytes limit 1;
  if found then
    perform tick_rewrite_start(part, case when part.upper is null then tick_next_cut(part, now) end);
    return 'started';
  end if;
  return null;
end $$;
