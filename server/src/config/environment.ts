import type { Environment } from './document.ts';
import type { ConfigProblem } from './problem.ts';

/** What the environment sets by itself, without the file naming it. */
export interface FromEnvironment {
  readonly host?: string;
  readonly port?: number;
  readonly adminPort?: number;
  readonly metricsPort?: number;
  readonly databaseUrl?: string;
  readonly replicaUrl?: string;
}

export interface EnvironmentReading {
  readonly found: FromEnvironment;
  readonly problems: readonly ConfigProblem[];
}

/** Reads HOST, PORT, ADMIN_PORT, METRICS_PORT, DATABASE_URL and DATABASE_REPLICA_URL; an empty one counts as absent. */
export function readEnvironment(env: Environment): EnvironmentReading {
  const problems: ConfigProblem[] = [];

  function fail(name: string, message: string): undefined {
    problems.push({ line: null, path: `environment variable ${name}`, message });
    return undefined;
  }

  function port(name: string): number | undefined {
    const text = env[name];
    if (!text) return undefined;
    const right = /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
    return right ? Number(text) : fail(name, 'must be a whole number from 0 to 65535; correct it');
  }

  function host(): string | undefined {
    const text = env.HOST;
    if (!text) return undefined;
    const right = /^[A-Za-z0-9.:_-]+$/.test(text);
    return right ? text : fail('HOST', 'must be a host name or an IP address; correct it');
  }

  function database(name: string): string | undefined {
    const text = env[name];
    if (!text) return undefined;
    const right = /^postgres(ql)?:\/\//.test(text);
    return right ? text : fail(name, 'must start with postgres:// or postgresql://; correct it');
  }

  const found = {
    host: host(),
    port: port('PORT'),
    adminPort: port('ADMIN_PORT'),
    metricsPort: port('METRICS_PORT'),
    databaseUrl: database('DATABASE_URL'),
    replicaUrl: database('DATABASE_REPLICA_URL'),
  };
  if (found.replicaUrl !== undefined && !env.DATABASE_URL) {
    fail('DATABASE_REPLICA_URL', 'needs DATABASE_URL as well; set both or neither');
  }
  return { found, problems };
}
