-- The largest holders of a family, without looking at the others.
create index concurrently position_by_shares on position (family_id, shares desc, wallet) where shares > 0;
