#!/usr/bin/env bash
# A streaming replica: the first start copies the primary; later ones continue from their last position.
set -euo pipefail
if [ ! -d "$PGDATA" ]; then
  export PGPASSWORD="$REPLICATION_PASSWORD" PGHOST="$PRIMARY_HOST" PGPORT="$PRIMARY_PORT" PGUSER=replicator
  # Remove the remains of an earlier copy: its files, and its slot on the primary.
  rm -rf "$PGDATA.draft"
  psql 'dbname=replication replication=true' --command='DROP_REPLICATION_SLOT replica' 2> /dev/null || true
  pg_basebackup --pgdata="$PGDATA.draft" --wal-method=stream --checkpoint=fast --write-recovery-conf \
    --create-slot --slot=replica
  mv "$PGDATA.draft" "$PGDATA"
  unset PGPASSWORD PGHOST PGPORT PGUSER
fi
exec postgres "$@"
