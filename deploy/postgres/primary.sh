#!/usr/bin/env bash
# Runs once, when the primary's folder is made: a user that may copy it, from wherever the replica is.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set password="$REPLICATION_PASSWORD" <<'SQL'
create role replicator with replication login password :'password';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
# A replica that is away for long is left behind rather than filling the primary's disk.
cat >> "$PGDATA/postgresql.conf" <<'CONF'
wal_level = replica
max_slot_wal_keep_size = 8GB
CONF
