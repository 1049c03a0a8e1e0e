-- For how many calls a payment pays: a batch of nodes is one payment and counts once for each of them. A process of the version before
-- writes and counts one.
alter table payment add column calls smallint not null default 1;
