import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN_HOST, createAdminServer } from './admin.ts';
import type { AdminCommand } from './adminCommands.ts';
import { closeServer, listen } from './listen.ts';
import { createMetrics } from './metrics.ts';

const TOKEN = 'a-token-of-the-test';

const mistaken: AdminCommand = {
  name: 'mistaken',
  run: async () => {
    throw new RangeError('not so');
  },
};

const echo: AdminCommand = {
  name: 'echo',
  async run(args, print) {
    print(`given ${JSON.stringify(args)}`);
    print('{"exitCode":9}');
    return 3;
  },
};
const fail: AdminCommand = {
  name: 'fail',
  async run(_args, print) {
    print('so far so good');
    throw new Error('postgres://user:secret@host');
  },
};
let seen: AbortSignal | undefined;
const wait: AdminCommand = {
  name: 'wait',
  async run(_args, print, signal) {
    seen = signal;
    print('waiting');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 0;
  },
};

let app: ReturnType<typeof createAdminServer>;
let port: number;
let errors: unknown[];

async function start(commands: readonly AdminCommand[] | undefined): Promise<void> {
  errors = [];
  const metrics = createMetrics({
    version: '0.1.0',
    getChainStatuses: async () => [],
    counters: [],
  });
  const describeFailure = (error: unknown) => {
    const exitCode = error instanceof RangeError ? 2 : 1;
    return { text: 'assay: it failed', exitCode };
  };
  app = createAdminServer({
    metrics,
    onError: (error) => errors.push(error),
    ...(commands && { commands: { token: TOKEN, commands, describeFailure } }),
  });
  port = await listen(app, { host: ADMIN_HOST, port: 0, setting: 'ADMIN_PORT' });
}

beforeEach(() => start([echo, fail, mistaken, wait]));
// A disconnected client may have opened another connection that never sends anything.
afterEach(() => closeServer(app, 100));

function post(name: string, init: RequestInit & { authorization?: string } = {}) {
  const { authorization = `Bearer ${TOKEN}`, ...rest } = init;
  return fetch(`http://${ADMIN_HOST}:${port}/commands/${name}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ n: 1 }),
    ...rest,
  });
}

describe('POST /commands/{name}', () => {
  test('default: returns its lines, and the result last', async () => {
    const response = await post('echo');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe('given {"n":1}\n{"exitCode":9}\n{"exitCode":3}\n');
  });

  test('behavior: a failure with a safe text, and the error in the log', async () => {
    const response = await post('fail');
    expect(await response.text()).toBe(
      'so far so good\n{"exitCode":1,"error":"assay: it failed"}\n',
    );
    expect(errors).toHaveLength(1);
  });

  test('behavior: a mistake of the operator is not logged', async () => {
    const response = await post('mistaken');
    expect(await response.text()).toBe('{"exitCode":2,"error":"assay: it failed"}\n');
    expect(errors).toEqual([]);
  });

  test('behavior: a command is aborted when its client disconnects', async () => {
    const leaving = new AbortController();
    const response = await post('wait', { signal: leaving.signal });
    await response.body!.getReader().read();
    expect(seen!.aborted).toBe(false);
    const gone = new Promise((resolve) => seen!.addEventListener('abort', resolve));
    leaving.abort();
    await gone;
    expect(errors).toEqual([]);
  });

  test('error: without the token', async () => {
    for (const authorization of ['', TOKEN, `Bearer ${TOKEN} `.repeat(2), 'Bearer other']) {
      for (const name of ['echo', 'nothing']) {
        const response = await post(name, { authorization });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
        expect(response.headers.get('content-type')).toContain('application/problem+json');
        expect(await response.json()).toMatchObject({ status: 401, title: 'Unauthorized' });
      }
    }
  });

  test('error: an unknown command', async () => {
    const response = await post('nothing');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  test('error: arguments that are not JSON', async () => {
    expect((await post('echo', { body: '{' })).status).toBe(400);
  });

  test('error: a server without commands', async () => {
    await app.close();
    await start(undefined);
    expect((await post('echo')).status).toBe(404);
  });
});
