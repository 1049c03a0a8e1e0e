-- A family's sources and those of a feed are asked for with every step: without these, each family would scan all sources.
create index concurrently source_family on source (family_id);
create index concurrently source_feed on source (feed);
