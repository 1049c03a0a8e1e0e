-- Whom an answer without an identifier may be handed out to again: a hash of the payment's nonce and the address that
-- asked for it. Null: to nobody.
alter table payment add column client bytea;
