-- The transaction of a movement. Null: read by a version that did not store it. No bytes: a block's queue was settled, and
-- several of its transactions may have caused it.
alter table movement add column tx_hash bytea;
