-- Why a source is held back, in safe words, and since when; null while nothing is wrong with it.
alter table source add column error text;
alter table source add column error_since bigint;
