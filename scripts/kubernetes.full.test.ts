import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readCommandLine } from '../server/src/commands/commandLine.ts';
import { parseConfig } from '../server/src/config/load.ts';
import { createMetricsServer } from '../server/src/http/admin.ts';
import { createMetrics } from '../server/src/http/metrics.ts';
import { findManifestProblems, type Manifest } from './kubernetes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'deploy/kubernetes');
const SECRETS = '/run/secrets/assay';
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The part of a deployment that a case spoils. */
interface SpecToSpoil {
  readonly template: { readonly spec: { readonly containers: readonly object[] } };
}

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: unknown;
  readonly resources: unknown;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface DeploymentManifest extends Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: { readonly runAsUser: number; readonly runAsNonRoot: boolean };
        readonly containers: readonly [Container];
        readonly volumes: readonly {
          readonly name: string;
          readonly configMap?: { readonly name: string };
          readonly secret?: { readonly secretName: string };
        }[];
      };
    };
  };
}

const files = readdirSync(FOLDER).sort();
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    expect(document.errors, file).toEqual([]);
    return document.toJS() as Manifest;
  }),
);
const ofKind = <Kind extends Manifest>(kind: string) =>
  manifests.filter((one) => one.kind === kind) as Kind[];
const deployments = ofKind<DeploymentManifest>('Deployment');
const [config] = ofKind<Manifest & { metadata: { name: string }; data: Record<string, string> }>(
  'ConfigMap',
);
const text = config!.data['assay.yaml']!;

describe('deploy/kubernetes', () => {
  test('default: every manifest is valid, without unknown fields', () => {
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      ...['ConfigMap', 'Deployment', 'Deployment', 'PodDisruptionBudget', 'PodDisruptionBudget'],
      ...['Service', 'Service'],
    ]);
    for (const manifest of manifests) expect(findManifestProblems(manifest)).toEqual([]);
  });

  test.each<[string, (spec: SpecToSpoil) => void, RegExp]>([
    ['an unknown field', (spec) => Object.assign(spec, { replica: 2 }), /^spec\.replica$/],
    [
      'an unknown field deep inside',
      ({ template }) => Object.assign(template.spec.containers[0]!, { readynessProbe: {} }),
      /^spec\.template\.spec\.containers\.0\.readynessProbe$/,
    ],
    [
      'a wrong type',
      (spec) => Object.assign(spec, { replicas: 'two' }),
      /replicas must be integer/,
    ],
    [
      'a missing field',
      (spec) => Object.assign(spec, { selector: undefined }),
      /must have required property selector/,
    ],
  ])('error: %s is detected', (_, spoil, problem) => {
    const spoiled = structuredClone(deployments[0]!) as DeploymentManifest;
    spoil(spoiled.spec);
    expect(findManifestProblems(spoiled)).toContainEqual(expect.stringMatching(problem));
  });

  test('behavior: two servers and two indexers, each with a budget, and services that find them', () => {
    expect(
      deployments.map(({ spec }) => [spec.template.spec.containers[0].args[0], spec.replicas]),
    ).toEqual([
      ['index', 2],
      ['serve', 2],
    ]);
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
    for (const { spec } of deployments) {
      expect(matching(spec.selector.matchLabels)).toEqual([spec.template.metadata.labels]);
    }
    const budgets = ofKind<
      Manifest & { spec: { minAvailable: number; selector: { matchLabels: Labels } } }
    >('PodDisruptionBudget');
    expect(budgets.flatMap(({ spec }) => matching(spec.selector.matchLabels))).toEqual(labels);
    for (const { spec } of budgets) expect(spec.minAvailable).toBe(1);
    const services = ofKind<
      Manifest & { spec: { selector: Labels; ports: { targetPort: string }[] } }
    >('Service');
    for (const { spec } of services) {
      const found = deployments.filter(({ spec: own }) =>
        matching(spec.selector).includes(own.template.metadata.labels),
      );
      expect(found.length).toBeGreaterThan(0);
      for (const { spec: own } of found) {
        const ports = own.template.spec.containers[0].ports.map(({ name }) => name);
        for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
      }
    }

    function matching(selector: Labels): Labels[] {
      return labels.filter((one) =>
        Object.entries(selector).every(([name, value]) => one[name] === value),
      );
    }
  });

  test.each(deployments.map((one) => [one.metadata.name, one] as const))(
    'behavior: %s runs a command, with files and variables that Assay reads',
    async (_, { spec }) => {
      const { containers, volumes } = spec.template.spec;
      const [{ args, env, volumeMounts }] = containers;
      await expect(readCommandLine([...args])).resolves.toBeDefined();
      const mounted = (name: string) => volumeMounts.find((one) => one.name === name)!.mountPath;
      for (const { name } of volumeMounts) {
        expect(volumes.map((one) => one.name)).toContain(name);
      }
      expect(volumes.find(({ configMap }) => configMap)!.configMap!.name).toBe(
        config!.metadata.name,
      );
      expect(args.at(-1)).toBe(join(mounted('config'), 'assay.yaml'));
      expect(mounted('secrets')).toBe(SECRETS);
      // The image's user `node` is 1000.
      expect(spec.template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
      });

      const folder = mkdtempSync(join(tmpdir(), 'assay-kubernetes-'));
      try {
        const given = Object.fromEntries(
          env.map(({ name, value }) => [name, value.replace(SECRETS, folder)]),
        );
        const secrets = env
          .filter(({ name }) => name.endsWith('_FILE'))
          .map(({ name }) => name.slice(0, -5));
        for (const name of secrets) {
          expect(given[`${name}_FILE`]).toBe(join(folder, name));
          const isDatabase = name.startsWith('DATABASE_');
          writeFileSync(
            join(folder, name),
            isDatabase ? 'postgres://db/assay' : 'https://rpc.example',
          );
          // The guide has a step that creates every secret.
          expect(read('deploy/README.md')).toContain(`--from-file=${name}=secrets/${name}`);
        }
        const loaded = parseConfig({ file: 'assay.yaml', text, env: given });
        expect(loaded.store.databaseUrl).toBe('postgres://db/assay');
        expect(loaded.chains[0]!.rpcUrls).toEqual(['https://rpc.example']);
        expect(loaded.http.metricsPort).toBe(Number(given.METRICS_PORT));
        const known = [...read('server/src/config/environment.ts').matchAll(/'([A-Z_]+)'/g)].map(
          ([, name]) => name,
        );
        for (const { name } of env) {
          const variable = name.replace(/_FILE$/, '');
          const isRead = known.includes(variable) || text.includes(`\${${variable}}`);
          expect(isRead, name).toBe(true);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test('behavior: probes request paths that the processes serve', async () => {
    const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, unknown> };
    const metrics = createMetrics({ version: '0', getChainStatuses: async () => [] });
    const watched = createMetricsServer({ metrics, onError: () => {} });
    const { http } = parseConfig({
      file: 'assay.yaml',
      text,
      env: { BASE_RPC_URL: 'https://rpc.example' },
    });
    for (const { metadata, spec } of deployments) {
      const [{ ports, env, ...container }] = spec.template.spec.containers;
      const numbers = new Map(ports.map(({ name, containerPort }) => [name, containerPort]));
      expect(numbers.get('metrics')).toBe(
        Number(env.find(({ name }) => name === 'METRICS_PORT')!.value),
      );
      if (numbers.has('http')) expect(numbers.get('http')).toBe(http.port);
      const { startupProbe, livenessProbe, readinessProbe } = container;
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        expect(numbers.has(httpGet.port), metadata.name).toBe(true);
        if (httpGet.port === 'http') expect(paths, httpGet.path).toHaveProperty([httpGet.path]);
        else expect((await watched.inject(httpGet.path)).statusCode).toBe(200);
      }
      expect(startupProbe.httpGet).toEqual(livenessProbe.httpGet);
    }
    const [, server] = deployments;
    const { readinessProbe } = server!.spec.template.spec.containers[0];
    expect(readinessProbe.httpGet.path).toBe('/health/ready');
    // A pod is out of the Service before its drain is over.
    const noticed = readinessProbe.periodSeconds * readinessProbe.failureThreshold!;
    const drain = Number(/drainSeconds: (\d+)/.exec(text)![1]);
    expect(noticed).toBeLessThan(drain);
    expect(server!.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      drain + 30,
    );
    await watched.close();
  });
});
