export type Outage =
  | 'unreachable'
  | 'refused'
  | 'connection-lost'
  | 'silent'
  | 'pooled'
  | 'old-primary'
  | 'two-primaries'
  | 'other-cluster'
  | 'read-only'
  | 'full'
  | 'slow'
  | 'too-old'
  | 'unopenable'
  | 'crashed'
  | 'crashed-full'
  | 'busy'
  | 'closed';

const ADVICE: Record<Outage, string> = {
  unreachable:
    'the database does not answer: check that it runs and that DATABASE_URL points to it',
  refused:
    'the database refuses the connection: check the user, password and database name in DATABASE_URL',
  'connection-lost': 'the connection to the database was lost',
  silent:
    'the database did not answer in time: check that its machine runs and that the network to it is up',
  pooled:
    'the database is reached through a connection pooler that does not keep sessions: set its pool_mode to session, or point DATABASE_URL and DATABASE_REPLICA_URL to PostgreSQL itself (docs/operate.md, Connection poolers)',
  'old-primary':
    'the only database host that accepts writes is an old primary, which lacks what was written after the failover: stop it and start the newer one (docs/operate.md, Failover)',
  'two-primaries':
    'two database hosts were promoted on the same timeline, and neither is used: stop the wrong one and restart Assay (docs/operate.md, Failover)',
  'other-cluster':
    'a host in DATABASE_URL belongs to another database cluster: remove it from DATABASE_URL',
  'read-only':
    'the database accepts no writes: check default_transaction_read_only, and that DATABASE_URL points to the primary and not to a replica',
  full: 'the database is full and rejects writes: free up space on its disk',
  slow: 'the database took too long over a statement: check its load, and what holds its locks',
  'too-old': 'the database is older than PostgreSQL 15: upgrade it',
  unopenable:
    'the embedded database could not be opened: check the free space, and that its folder was made by this version of Assay',
  crashed: 'the embedded database stopped: restart the process',
  'crashed-full':
    'the embedded database stopped because its disk is full: free space on the disk of store.folder and restart the process',
  busy: 'the embedded database is busy: a transaction held it for too long',
  closed: 'the store is closed',
};

/** Outages in which the database can still serve reads. */
const READABLE: ReadonlySet<Outage> = new Set(['read-only', 'full']);

/** Returns whether an outage leaves the database readable. */
export function isReadable(outage: Outage): boolean {
  return READABLE.has(outage);
}

/** Returns what happened and what to do; safe to log. */
export function describeOutage(outage: Outage): string {
  return ADVICE[outage];
}

/** The database cannot be used now. The text is safe to log: it contains no address and no credential. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly outage: Outage;

  constructor(outage: Outage) {
    super(ADVICE[outage]);
    this.outage = outage;
  }
}
