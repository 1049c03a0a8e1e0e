-- A queued redemption names shares only. Before a vault's first share price nobody can say what they are worth.
alter table history alter column assets drop not null;
