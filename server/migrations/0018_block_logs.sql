-- How many logs a block had when it was read, and in answer to which question: null for blocks of which that is not
-- known. A block that shows more of them later was read from a node that did not have it yet.
alter table block add column logs integer, add column question bytea;
