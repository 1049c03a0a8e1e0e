#!/usr/bin/env bash
# Runs once, when the primary's folder is created: adds a user that can replicate from any host.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set password="$REPLICATION_PASSWORD" <<'SQL'
create role replicator with replication login password :'password';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
# A replica that is unavailable for long is dropped, so that it does not fill the primary's disk. A commit waits until the replica
# has it, so that a failover loses no payment. pg_rewind needs wal_log_hints, and
# the log back to the last checkpoint before the failover.
cat >> "$PGDATA/postgresql.conf" <<'CONF'
wal_level = replica
max_slot_wal_keep_size = 8GB
synchronous_standby_names = '*'
wal_log_hints = on
wal_keep_size = 1GB
CONF
