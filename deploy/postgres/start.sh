#!/usr/bin/env bash
# Runs the given command, which starts PostgreSQL, unless this is an old primary: after a failover, it would accept writes again.
set -euo pipefail
if [ -s "$PGDATA/PG_VERSION" ] && [ ! -e "$PGDATA/standby.signal" ]; then
  own=$(LC_ALL=C pg_controldata "$PGDATA" | sed -n "s/^Latest checkpoint's TimeLineID: *//p")
  # 0 if the other host is a replica or does not respond.
  peer=$(PGPASSWORD="$POSTGRES_PASSWORD" PGCONNECT_TIMEOUT=3 psql --no-align --tuples-only \
    --host="$PEER_HOST" --port="$PEER_PORT" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
    --command="select case when pg_is_in_recovery() then 0
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end" 2> /dev/null || echo 0)
  if [ "$peer" -gt "$own" ]; then
    echo "$PEER_HOST took over (timeline $peer, here $own): make this host its replica with rejoin.sh" >&2
    exit 1
  fi
fi
exec "$@"
