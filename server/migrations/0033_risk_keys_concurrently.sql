-- Nodes by what a search hit has besides the id. A hash has no longest text, which lists could exceed.
create index concurrently risk_node_by_address on risk_node using hash (lower(facts->>'address'));
create index concurrently risk_node_by_unique_key on risk_node using hash (lower(facts->>'uniqueKey'));
