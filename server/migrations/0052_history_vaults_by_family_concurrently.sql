-- Whether a family has items of additional vaults, before an export looks them up for each of its rows.
create index concurrently history_vault_by_family on history_vault (family_id);
