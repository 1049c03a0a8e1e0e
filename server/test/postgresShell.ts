import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findAccount, findPrograms, type PostgresProcess } from './postgresServer.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs an operator's commands on the machine of `own`, with the variables that they need about the other host. */
export async function runOnHost(
  commands: string,
  own: PostgresProcess,
  peer: PostgresProcess,
): Promise<string> {
  const env = {
    PATH: `${findPrograms()}:${process.env.PATH}`,
    PGDATA: own.data,
    PGHOST: '127.0.0.1',
    PGPORT: String(own.port),
    PEER_HOST: '127.0.0.1',
    PEER_PORT: String(peer.port),
    POSTGRES_USER: 'postgres',
    POSTGRES_DB: 'postgres',
    POSTGRES_PASSWORD: 'unused',
    REPLICATION_PASSWORD: 'letters1',
  };
  const options = { ...(await findAccount()), cwd: ROOT, env };
  return (await run('sh', ['-euc', commands], options)).stdout;
}
