import { type CheckLine, fail, pass, warn } from '../check/line.ts';
import type { Replication } from '../store/publication/inspectReplication.ts';
import { PUBLICATION_VERSION } from '../store/publication/publishedTables.ts';
import type { Slot } from '../store/publication/slots.ts';

const KEY = 'replication';
const BEHIND_BYTES = 1e9;
const DOCS = '(docs/replication.md)';

/** Returns nothing for a store without publication and logical replication slots. */
export function examineReplication({ version, walLevel, slots }: Replication): CheckLine[] {
  return [
    ...(version === null ? [] : [examineVersion(version)]),
    ...(version === null || walLevel === 'logical' ? [] : [examineWalLevel(walLevel)]),
    ...slots.map(examineSlot),
  ];
}

function examineVersion(version: number): CheckLine {
  if (version < PUBLICATION_VERSION) {
    const reason = `the publication has version ${version} of the tables, this is version ${PUBLICATION_VERSION}`;
    return warn(KEY, reason, `upgrade the subscribers, then run "assay publish create" ${DOCS}`);
  }
  return pass(`${KEY}: publication of version ${version}`);
}

function examineWalLevel(walLevel: string): CheckLine {
  const reason = `wal_level is ${walLevel}, so no subscriber can connect`;
  return fail(KEY, reason, 'set wal_level = logical in postgresql.conf and restart PostgreSQL');
}

function examineSlot(found: Slot): CheckLine {
  const { slot, active, lost, lagBytes, retainedBytes, lagSeconds } = found;
  const drop = `select pg_drop_replication_slot('${slot}')`;
  if (lost) {
    const fix = `drop it with ${drop} and create the subscription again ${DOCS}`;
    return fail(KEY, `PostgreSQL removed log that slot ${slot} needs`, fix);
  }
  if (!active) {
    const since = lagSeconds === null ? '' : ` for ${Math.round(lagSeconds)} s`;
    const reason = `slot ${slot} has had no subscriber${since} and retains ${size(retainedBytes)} of write-ahead log`;
    return warn(KEY, reason, `start its subscriber, or drop it with ${drop}`);
  }
  const age = lagSeconds === null ? '' : ` (${lagSeconds.toFixed(1)} s)`;
  const text = `the subscriber of slot ${slot} is ${size(lagBytes)}${age} behind`;
  if (lagBytes === null || lagBytes <= BEHIND_BYTES) return pass(`${KEY}: ${text}`);
  return warn(KEY, text, 'see the log of the subscriber; the primary keeps this log on its disk');
}

function size(bytes: number | null): string {
  return bytes === null ? 'an unknown amount' : `${(bytes / 1e6).toFixed(1)} MB`;
}
