#!/usr/bin/env bash
# Makes a stopped old primary a replica of the host that took over. Rows that only the old primary has are lost.
set -euo pipefail
export PGPASSWORD="$POSTGRES_PASSWORD"
source="host=$PEER_HOST port=$PEER_PORT user=$POSTGRES_USER dbname=$POSTGRES_DB"
# After a crash, pg_rewind recovers the folder first, which a replica's folder does not allow.
rm -f "$PGDATA/standby.signal"
# Until a checkpoint after its promotion, the new primary's files show the old timeline, and nothing would be rewound.
psql "$source" --quiet --command=checkpoint
pg_rewind --target-pgdata="$PGDATA" --source-server="$source"
psql "$source" --quiet --output=/dev/null --command="select pg_create_physical_replication_slot('replica')
  where not exists (select from pg_replication_slots where slot_name = 'replica')"
cat >> "$PGDATA/postgresql.auto.conf" <<CONF
primary_conninfo = 'host=$PEER_HOST port=$PEER_PORT user=replicator password=$REPLICATION_PASSWORD'
primary_slot_name = 'replica'
CONF
touch "$PGDATA/standby.signal"
