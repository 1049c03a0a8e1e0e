import { UsageError } from '../cli/usageError.ts';
import { examineReplication } from '../doctor/examineReplication.ts';
import { unixTime } from '../runtime/unixTime.ts';
import { inspectStore } from '../store/inspect.ts';
import type { Session } from '../store/migrate.ts';
import { onPrimary } from '../store/primarySession.ts';
import { inspectReplication } from '../store/publication/inspectReplication.ts';
import { publish, subscriberSchema, unpublish } from '../store/publication/publication.ts';
import { PUBLICATION_VERSION, PUBLISHED_TABLES } from '../store/publication/publishedTables.ts';
import { StatementFailed } from '../store/statementFailed.ts';
import { CONFIG, defineCommand } from './command.ts';
import { configOf } from './configOf.ts';
import { printLines } from './printLines.ts';

const ACTIONS = ['create', 'schema', 'show', 'drop'] as const;
type Action = (typeof ACTIONS)[number];

/** Altering the publication waits for index builds on its tables. */
const STATEMENT_MS = 60_000;
const INSUFFICIENT_PRIVILEGE = '42501';

export const command = defineCommand<{ readonly action: Action }>({
  usage: 'assay publish create|schema|show|drop [--config FILE]',
  details: [
    'Manages the publication "assay" of a PostgreSQL store, from which other databases',
    'replicate vault data and events (docs/replication.md). Works while servers run.',
    'create: creates it, or upgrades it to the tables of this version',
    'schema: prints the SQL that creates or upgrades the tables of a subscriber',
    'show: prints its version and how far subscribers are behind',
    'drop: removes it; drop the subscriptions first',
  ].join('\n'),
  flags: { config: CONFIG },
  argument: 'ACTION',
  choices: ACTIONS,
  read(_flags, given) {
    const action = ACTIONS.find((name) => name === given);
    if (action !== undefined) return { action };
    throw new UsageError(`specify an action: ${ACTIONS.join(', ')}`);
  },
  async run({ action }, terminal) {
    const { store } = configOf(terminal);
    if (store.databaseUrl === undefined) {
      throw new UsageError(
        'the embedded database has no logical replication; use PostgreSQL (DATABASE_URL), or read /v1/events',
      );
    }
    if ((await inspectStore(store))?.pending !== 0) {
      throw new UsageError(
        'the database schema is not that of this version; run "assay migrate" of the newest version first',
      );
    }
    return onPrimary(store.databaseUrl, STATEMENT_MS, (session) =>
      RUN[action](session, terminal.print),
    );
  },
});

type Run = (session: Session, print: (line: string) => void) => Promise<number>;

const RUN: Readonly<Record<Action, Run>> = {
  async create(session, print) {
    await allowed(session, 'create the publication', () => publish(session, unixTime()));
    const tables = Object.keys(PUBLISHED_TABLES).length;
    print(`the publication has version ${PUBLICATION_VERSION}, ${tables} tables`);
    return show(session, print);
  },
  async schema(session, print) {
    for (const line of await subscriberSchema(session)) print(line);
    return 0;
  },
  show,
  async drop(session, print) {
    await allowed(session, 'drop the publication', () => unpublish(session));
    print('the publication is removed');
    return show(session, print);
  },
};

async function show(session: Session, print: (line: string) => void): Promise<number> {
  const replication = await inspectReplication(session);
  if (replication.version === null) print('there is no publication');
  const lines = examineReplication(replication);
  printLines(lines, print);
  return lines.every(({ ok }) => ok) ? 0 : 1;
}

async function allowed(session: Session, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StatementFailed) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    await session.exec('rollback');
    const { rows } = await session.exec(
      'select quote_ident(current_database()) as db, quote_ident(current_user) as role',
    );
    const { db, role } = rows[0]!;
    throw new UsageError(
      `the role ${role} may not ${what}; run as an administrator: grant create on database ${db} to ${role}; the role must also own the tables`,
    );
  }
}
