-- The risk graph as one server has built it to be searched, so that others need not build it to start. Worth nothing
-- after a crash. A view is there when its row is; parts without one are left of a server that was stopped.
create unlogged table risk_view (
  format  text primary key,
  version bigint not null,
  layout  text not null,
  kept_at bigint not null
);
create unlogged table risk_view_part (
  format  text not null,
  version bigint not null,
  part    integer not null,
  bytes   bytea not null,
  primary key (format, version, part)
);
alter table risk_view_part alter column bytes set storage external;
