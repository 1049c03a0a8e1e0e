-- The grade of each node before and after the last change of the method, as it was at that moment: what a new version
-- of the method did, apart from what facts have done since.
create table risk_method_change (
  id           text collate "C" primary key,
  from_method  text not null,
  from_grade   text not null,
  to_method    text not null,
  to_grade     text not null,
  changed_at   bigint not null
);
