import type { FastifyInstance } from 'fastify';
import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import { ADMIN_HOST } from '../http/admin.ts';
import { type ListenTarget, listen } from '../http/listen.ts';
import { openStartingServer, type StartingServer } from '../http/startingServer.ts';
import { openWhenReachable } from '../store/openWhenReachable.ts';
import type { Store } from '../store/store.ts';

/** A port of the process. */
export type Door = 'api' | 'admin' | 'metrics';

/** An open store, and ports that respond from the start. */
export interface StartUp {
  readonly store: Store;
  /** Lets the server take over its port; returns the port. */
  listen(app: FastifyInstance, door: Door): Promise<number>;
  /** Closes the ports that no server took over. */
  close(): Promise<void>;
}

/**
 * Opens the ports, then the store. Opening the store can take long: a database may not exist yet, be created, be
 * recovered, or be upgraded. Meanwhile, `/health/live` returns 200 on every port, and everything else returns 503
 * with the current step.
 */
export async function startUp({
  config,
  log,
  serve,
}: {
  readonly config: Config;
  readonly log: Log;
  readonly serve: boolean;
}): Promise<StartUp> {
  const early = new Map<Door, StartingServer>();
  const targets = targetsOf(config.http, serve);
  let doing = 'opening the database';
  let waited = false;
  try {
    for (const [door, target] of targets) {
      // The framework listens on both addresses of that name, which cannot be handed over.
      if (target.host === 'localhost') continue;
      early.set(door, await openStartingServer(target, () => doing));
    }
    const store = await openWhenReachable(config.store, {
      onProgress(text) {
        doing = text;
        log.info({}, text);
      },
      onWait({ error, seconds }) {
        doing = 'waiting for the database';
        waited = true;
        if (seconds === 0) log.warn({ err: error }, 'waiting for the database; retrying');
        else log.info({ seconds, err: error }, 'still waiting for the database');
      },
    });
    if (waited) log.info({}, 'the database responds');
    doing = 'loading data';
    return { store, close, listen: take };
  } catch (error) {
    await close();
    throw error;
  }

  async function take(app: FastifyInstance, door: Door): Promise<number> {
    const port = await listen(app, targets.get(door)!, early.get(door));
    early.delete(door);
    return port;
  }

  async function close(): Promise<void> {
    await Promise.all([...early.values()].map((server) => server.close()));
    early.clear();
  }
}

function targetsOf(
  { host, port, adminPort, metricsPort }: Config['http'],
  serve: boolean,
): Map<Door, ListenTarget> {
  const targets = new Map<Door, ListenTarget>();
  targets.set('admin', { host: ADMIN_HOST, port: adminPort, setting: 'ADMIN_PORT' });
  if (metricsPort !== undefined) {
    targets.set('metrics', { host, port: metricsPort, setting: 'METRICS_PORT' });
  }
  if (serve) targets.set('api', { host, port, setting: 'PORT' });
  return targets;
}
