import type { ConfigProblem } from './problem.ts';
import { type Environment, readVariable, type Variable } from './variables.ts';

/** The settings that the environment overrides without a reference in the file. */
export interface FromEnvironment {
  readonly host?: string;
  readonly port?: number;
  readonly adminPort?: number;
  readonly metricsPort?: number;
  readonly drainSeconds?: number;
  readonly accessLog?: boolean;
  readonly databaseUrl?: string;
  readonly replicaUrl?: string;
}

export interface EnvironmentReading {
  readonly found: FromEnvironment;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads HOST, PORT, ADMIN_PORT, METRICS_PORT, DRAIN_SECONDS, and ACCESS_LOG, and DATABASE_URL and
 * DATABASE_REPLICA_URL, which may also come from files. An empty variable counts as absent.
 */
export function readEnvironment(env: Environment): EnvironmentReading {
  const problems: ConfigProblem[] = [];

  function fail(name: string, message: string): undefined {
    problems.push({ line: null, path: `environment variable ${name}`, message });
    return undefined;
  }

  function whole(name: string, most: number): number | undefined {
    const text = env[name];
    if (!text) return undefined;
    const right = /^\d{1,5}$/.test(text) && Number(text) <= most;
    const message = `must be an integer from 0 to ${most}; correct it`;
    return right ? Number(text) : fail(name, message);
  }

  const port = (name: string) => whole(name, 65_535);

  function flag(name: string): boolean | undefined {
    const text = env[name];
    if (!text) return undefined;
    const right = text === 'true' || text === 'false';
    return right ? text === 'true' : fail(name, 'must be true or false; correct it');
  }

  function host(): string | undefined {
    const text = env.HOST;
    if (!text) return undefined;
    const right = /^[A-Za-z0-9.:_-]+$/.test(text);
    return right ? text : fail('HOST', 'must be a host name or an IP address; correct it');
  }

  function database(name: string): string | undefined {
    const { value: text, problem } = readVariable(env, name);
    if (problem !== undefined) return fail(problem.name, problem.message);
    if (!text) return undefined;
    if (!/^postgres(ql)?:\/\//.test(text)) {
      return fail(name, 'must start with postgres:// or postgresql://; correct it');
    }
    if (isDatabaseUrl(text)) return text;
    const advice = 'check host and port, and write special characters of the password as %XX';
    return fail(name, `must be a valid URL; ${advice}`);
  }

  const found = {
    host: host(),
    port: port('PORT'),
    adminPort: port('ADMIN_PORT'),
    metricsPort: port('METRICS_PORT'),
    drainSeconds: whole('DRAIN_SECONDS', 3_600),
    accessLog: flag('ACCESS_LOG'),
    databaseUrl: database('DATABASE_URL'),
    replicaUrl: database('DATABASE_REPLICA_URL'),
  };
  if (found.replicaUrl !== undefined && !isGiven(readVariable(env, 'DATABASE_URL'))) {
    fail('DATABASE_REPLICA_URL', 'needs DATABASE_URL as well; set both or neither');
  }
  return { found, problems };
}

function isGiven({ value, problem }: Variable): boolean {
  return Boolean(value) || problem !== undefined;
}

/** Returns whether each of its hosts forms a valid URL with the rest; a missing host is the local socket. */
function isDatabaseUrl(text: string): boolean {
  const [, start, hosts, rest] = /^([^/]*\/\/(?:[^/@]*@)?)([^/?]*)(.*)$/s.exec(text)!;
  return hosts!
    .split(',')
    .every((host) => URL.canParse(`${start}${host === '' ? 'localhost' : host}${rest}`));
}
