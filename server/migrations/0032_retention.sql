-- Days before these are thinned: to the ticks that stand for their hours, and to those that stand for their days.
alter table family add column hourly_until bigint not null default 0;
alter table family add column daily_until bigint not null default 0;
