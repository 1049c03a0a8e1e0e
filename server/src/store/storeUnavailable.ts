export type Outage =
  | 'unreachable'
  | 'refused'
  | 'connection-lost'
  | 'silent'
  | 'slow'
  | 'too-old'
  | 'unopenable'
  | 'crashed'
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
  slow: 'the database took too long over a statement: check its load, and what holds its locks',
  'too-old': 'the database is older than PostgreSQL 15: upgrade it',
  unopenable:
    'the embedded database could not be opened: check the free space, and that its folder was made by this version of Assay',
  crashed: 'the embedded database stopped: restart the process',
  busy: 'the embedded database is busy: a transaction held it for too long',
  closed: 'the store is closed',
};

/** The database cannot be used now. The text is safe to log: it holds no address and no credential. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly outage: Outage;

  constructor(outage: Outage) {
    super(ADVICE[outage]);
    this.outage = outage;
  }
}
