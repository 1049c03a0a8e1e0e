import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCommandLine } from '../server/src/commands/commandLine.ts';
import { freePort } from '../server/test/freePort.ts';
import { ensurePostgres, findAccount, findPrograms } from '../server/test/postgresServer.ts';
import { namedMetrics } from './deployMetrics.ts';
import { execForm, readDockerfile } from './dockerfile.ts';

const run = promisify(execFile);
const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url));
const SERVER = fileURLToPath(new URL('../server/', import.meta.url));
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}

describe('Dockerfile', () => {
  const stages = readDockerfile(join(DEPLOY, 'Dockerfile'));
  const image = stages.at(-1)!;

  test('default: pinned, not as root, and signals reach the program', () => {
    for (const [from] of stages) expect(from!.text).toMatch(/^node:24-bookworm-slim( AS \w+)?$/);
    expect(image.find(({ name }) => name === 'USER')?.text).toBe('node');
    expect(execForm(image, 'ENTRYPOINT')[0]).toBe('node');
    expect(execForm(image, 'CMD')).toContain('start');
    expect(execForm(image, 'HEALTHCHECK')[0]).toBe('node');
  });
});

describe('compose.yaml', () => {
  const file = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    secrets: Record<string, { readonly file: string }>;
    volumes: Record<string, null>;
  };
  const services = Object.entries(file.services);
  const ours = services.filter(([, { image }]) => image === 'assay');

  test('default: every service of Assay runs an existing command', async () => {
    const kinds = ours.map(([, { command }]) => command![0]);
    expect(kinds).toEqual(['migrate', 'serve', 'serve', 'index', 'index']);
    for (const [name, { command, environment }] of ours) {
      await expect(readCommandLine([...command!]), name).resolves.toBeDefined();
      expect(environment, name).toHaveProperty('DATABASE_URL_FILE');
    }
  });

  test('behavior: every service, file, and volume that it names exists', () => {
    for (const [name, { depends_on = [], volumes = [], image }] of services) {
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of others) expect(file.services, name).toHaveProperty(other);
      for (const [from] of volumes.map((one) => one.split(':') as [string])) {
        if (from.startsWith('./')) expect(isGiven(from), `${name}: ${from}`).toBe(true);
        else if (!from.startsWith('/')) expect(file.volumes, name).toHaveProperty(from);
      }
      if (image !== 'assay') expect(image, name).toMatch(/:v?\d+\.\d+/);
    }
  });

  test('behavior: every secret is a file that the guide creates, with hosts that exist', () => {
    for (const [name, { environment = {}, secrets = [] }] of ours) {
      const asFiles = Object.entries(environment).filter(([variable]) =>
        variable.endsWith('_FILE'),
      );
      expect(asFiles.map(([variable]) => variable.slice(0, -5)).sort(), name).toEqual(
        [...secrets].sort(),
      );
      for (const [variable, path] of asFiles) {
        expect(path, name).toBe(`/run/secrets/${variable.slice(0, -5)}`);
      }
    }
    const guide = read('README.md');
    for (const [name, { file: path }] of Object.entries(file.secrets)) {
      expect(path).toBe(`secrets/${name}`);
      expect(guide).toMatch(new RegExp(`> ${name}\\b`));
    }
    const hosts = [...guide.matchAll(/@([\w:,-]+)\/assay"/g)].flatMap(([, all]) => all!.split(','));
    expect(hosts).toEqual(['db:5432', 'replica:5432', 'replica:5432']);
    for (const host of hosts) expect(file.services).toHaveProperty(host.split(':')[0]!);
  });

  test('behavior: no port is published beyond this machine', () => {
    const ports = services.flatMap(([, { ports = [] }]) => ports);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('behavior: Prometheus scrapes every process, and Grafana queries Prometheus', () => {
    const { scrape_configs } = parse(read('prometheus/prometheus.yml'));
    const [own, machine] = scrape_configs.map(
      (job: { static_configs: { targets: string[] }[] }) => job.static_configs[0]!.targets,
    );
    const watched = ours.filter(([name]) => name !== 'migrate');
    expect(own).toEqual(watched.map(([name, one]) => `${name}:${one.environment!.METRICS_PORT}`));
    expect(file.services).toHaveProperty(machine[0].split(':')[0]);
    const [source] = parse(read('grafana/provisioning/datasources/prometheus.yml')).datasources;
    expect(file.services).toHaveProperty(new URL(source.url).hostname);
    const { panels } = JSON.parse(read('grafana/dashboards/assay.json'));
    for (const { title, datasource } of panels) expect(datasource.uid, title).toBe(source.uid);
    const [{ options }] = parse(read('grafana/provisioning/dashboards/assay.yml')).providers;
    expect(file.services.grafana!.volumes!.join()).toContain(`:${options.path}:ro`);
  });

  /** In the clone, or a file that the operator adds. */
  function isGiven(path: string): boolean {
    return path === './assay.yaml' || existsSync(join(DEPLOY, path));
  }
});

describe('README.md', () => {
  const blocks = [...read('README.md').matchAll(/^```bash\n(.*?)^```$/gms)].map(
    ([, lines]) => lines!,
  );

  test('behavior: every block is a script of known programs', async () => {
    expect(blocks.length).toBeGreaterThanOrEqual(8);
    for (const block of blocks) await run('bash', ['-n', '-c', block]);
    expect(blocks.join()).toContain('useradd ');
  });

  test('behavior: every package file that it names exists', () => {
    const named = [...blocks.join().matchAll(/node_modules\/assay\/([\w./-]+)/g)];
    expect(named.length).toBeGreaterThanOrEqual(3);
    for (const [, path] of named) {
      const here = path!.startsWith('deploy/') ? path!.slice(7) : `../server/${path}`;
      expect(existsSync(join(DEPLOY, here)), path).toBe(true);
    }
  });
});

describe('alerts', () => {
  test('default: every condition that needs an operator has an alert with a description', () => {
    const [{ rules }] = parse(read('prometheus/alerts.yml')).groups;
    const names = rules.map(({ alert }: { alert: string }) => alert);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['ChainLag', 'ErrorRate', 'FacilitatorGas', 'UnknownSettlements', 'Disk', 'RpcBudget'],
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const { alert, expr, labels, annotations } of rules) {
      expect([labels.severity, typeof annotations.summary, typeof expr], alert).toEqual([
        expect.stringMatching(/^(warning|critical)$/),
        'string',
        'string',
      ]);
      expect(expr.split('(').length, alert).toBe(expr.split(')').length);
    }
  });

  test('behavior: every Assay metric that they name exists in the sources', async () => {
    // demo.full.test.ts checks that a running server prints them.
    const files = await readdir(join(SERVER, 'src'), { recursive: true });
    const texts = files.filter((one) => one.endsWith('.ts'));
    const sources = texts.map((one) => readFileSync(join(SERVER, 'src', one), 'utf8')).join('');
    const named = namedMetrics().filter((one) => one.startsWith('assay_'));
    expect(named.length).toBeGreaterThan(15);
    for (const name of named) expect(sources, name).toContain(`'${name}'`);
  });
});

describe('assay.service', () => {
  const text = read('assay.service');

  test('default: it starts a program and a command of the package', async () => {
    const [, program, ...words] = /^ExecStart=(.*)$/m.exec(text)![1]!.split(' ');
    const inPackage = program!.replace('/opt/assay/node_modules/assay/', '');
    expect(existsSync(join(SERVER, inPackage))).toBe(true);
    await expect(readCommandLine(words)).resolves.toBeDefined();
  });

  test('behavior: its secrets are credentials that the guide creates', () => {
    const credentials = [...text.matchAll(/^LoadCredential=(\w+):(.+)$/gm)];
    expect(credentials).toHaveLength(1);
    for (const [, name, path] of credentials) {
      expect(path).toBe(`/etc/assay/credentials/${name}`);
      expect(read('README.md')).toContain(`> ${path}`);
    }
    expect(text).not.toMatch(/^Environment=/m);
  });

  test('behavior: systemd accepts it and rates it as hardened', async () => {
    if (!existsSync('/usr/bin/systemd-analyze')) {
      // Without systemd, checks only the form of its lines.
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      for (const line of lines) expect(line).toMatch(/^(\[\w+\]|\w+=.*)$/);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'assay-unit-'));
    const file = join(folder, 'assay.service');
    await writeFile(file, text.replace('/usr/bin/node', process.execPath));
    try {
      const { stderr } = await run('systemd-analyze', ['verify', file]);
      expect(stderr).not.toMatch(/assay\.service/);
      const { stdout } = await run('systemd-analyze', ['security', '--offline=true', file]);
      expect(Number(/exposure level for assay\.service: ([\d.]+)/.exec(stdout)![1])).toBeLessThan(
        2,
      );
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    }
  });
});

describe('postgres', () => {
  test('default: rows written to the primary are read from the replica', async () => {
    const primary = await ensurePostgres();
    const account = await findAccount();
    const folder = await mkdtemp(join(tmpdir(), 'assay-replica-'));
    if (account) await chown(folder, account.uid, account.gid);
    const { port } = new URL(primary.url);
    const database = await connect(primary.url);
    let stop = async () => {};
    try {
      const { rows } = await database.query('show data_directory');
      const scripts = { ...account, cwd: folder };
      const own = {
        PATH: `${findPrograms()}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGPORT: port,
        REPLICATION_PASSWORD: 'it has "quotes\' in it',
      };
      // Like the image's first start: runs on the new server, which is then restarted.
      const first = { POSTGRES_USER: 'postgres', POSTGRES_DB: 'postgres' };
      await run('bash', [join(DEPLOY, 'postgres/primary.sh')], {
        ...scripts,
        env: { ...own, ...first, PGDATA: rows[0].data_directory },
      });
      await database.query('select pg_reload_conf()');
      const hba = await readFile(join(rows[0].data_directory, 'pg_hba.conf'), 'utf8');
      expect(hba).toContain('host replication replicator');

      const replicaPort = await freePort();
      const place = ['-c', `port=${replicaPort}`, '-c', 'listen_addresses=127.0.0.1'];
      // A standby must allow as many connections as its primary, here that of the tests.
      const more = ['-c', `unix_socket_directories=${folder}`, '-c', 'max_connections=200'];
      const env = { ...own, PGDATA: join(folder, 'data'), PRIMARY_HOST: '127.0.0.1' };
      const script = join(DEPLOY, 'postgres/replica.sh');
      for (const value of ['first', 'after a restart', 'recreated']) {
        if (value === 'recreated') await rm(env.PGDATA, { recursive: true });
        const child = spawn('bash', [script, ...place, ...more], {
          ...scripts,
          env: { ...env, PRIMARY_PORT: port },
          stdio: 'ignore',
        });
        stop = () => end(child);
        const url = `postgres://postgres@127.0.0.1:${replicaPort}/postgres`;
        await expect.poll(() => ask(url, 'select pg_is_in_recovery() as value')).toBe(true);
        await database.query('create table if not exists written (value text)');
        await database.query('insert into written values ($1)', [value]);
        const newest = 'select value from written order by ctid desc limit 1';
        await expect.poll(() => ask(url, newest)).toBe(value);
        await stop();
      }
    } finally {
      await stop();
      await database.end();
      await primary.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    }
  });

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  }

  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  }

  /** The queried value; undefined while the server does not respond. */
  async function ask(url: string, text: string): Promise<unknown> {
    const client = await connect(url).catch(() => undefined);
    if (client === undefined) return undefined;
    try {
      return (await client.query(text)).rows[0]?.value;
    } catch {
      return undefined;
    } finally {
      await client.end();
    }
  }
});
