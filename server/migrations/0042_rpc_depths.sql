-- How many blocks below the head an RPC URL was found to have no state, and no logs. Null: nothing was missing.
alter table rpc_limit add column state_depth bigint, add column log_depth bigint;
