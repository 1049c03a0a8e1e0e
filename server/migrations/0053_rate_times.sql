-- When the contract last updated the rate of a share, as of the newest data point; null where it states no time.
alter table source add column rate_updated_at bigint;
