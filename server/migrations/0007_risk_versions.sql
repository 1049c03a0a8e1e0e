-- A change of the graph is written in many short transactions, of which nobody sees anything until its version is
-- the current one: a row belongs to the versions from from_version on, up to but not including to_version. The last
-- possible version (2^53 - 1) stands for "until further notice".
alter table risk_record add column from_version bigint not null default 0,
  add column to_version bigint not null default 9007199254740991,
  drop constraint risk_record_pkey, add primary key (source, id, from_version);
alter table risk_node add column from_version bigint not null default 0,
  add column to_version bigint not null default 9007199254740991,
  drop constraint risk_node_pkey, add primary key (id, from_version);
alter table risk_edge add column from_version bigint not null default 0,
  add column to_version bigint not null default 9007199254740991,
  drop constraint risk_edge_pkey, add primary key (source_id, type, target_id, from_version);
alter table risk_grade add column from_version bigint not null default 0,
  add column to_version bigint not null default 9007199254740991,
  drop constraint risk_grade_pkey, add primary key (id, from_version);

-- Few at any time: they are swept once the next version is current.
create index risk_record_ended on risk_record (to_version) where to_version < 9007199254740991;
create index risk_node_ended on risk_node (to_version) where to_version < 9007199254740991;
create index risk_edge_ended on risk_edge (to_version) where to_version < 9007199254740991;
create index risk_grade_ended on risk_grade (to_version) where to_version < 9007199254740991;

-- Who writes the next version; null when nobody does. What is left of one that was given up is swept by the next.
alter table risk_version add column writer text;

-- Statistics of documents take seconds to make, and no condition asks for any.
alter table risk_record alter column body set statistics 0;
alter table risk_node alter column facts set statistics 0, alter column sources set statistics 0;
alter table risk_grade alter column breakdown set statistics 0;
alter table risk_import alter column counts set statistics 0, alter column report set statistics 0;
