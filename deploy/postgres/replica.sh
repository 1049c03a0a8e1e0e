#!/usr/bin/env bash
# A streaming replica: the first start copies the primary, later ones go on where they were.
set -euo pipefail
if [ ! -d "$PGDATA" ]; then
  export PGPASSWORD="$REPLICATION_PASSWORD" PGHOST="$PRIMARY_HOST" PGPORT="$PRIMARY_PORT" PGUSER=replicator
  # What an earlier copy left: half of itself, and its place on the primary.
  rm -rf "$PGDATA.draft"
  psql 'dbname=replication replication=true' --command='DROP_REPLICATION_SLOT replica' 2> /dev/null || true
  pg_basebackup --pgdata="$PGDATA.draft" --wal-method=stream --checkpoint=fast --write-recovery-conf \
    --create-slot --slot=replica
  mv "$PGDATA.draft" "$PGDATA"
  unset PGPASSWORD PGHOST PGPORT PGUSER
fi
exec postgres "$@"
