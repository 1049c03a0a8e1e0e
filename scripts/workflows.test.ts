import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { major, minVersion, Range } from 'semver';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly os: string[]; readonly node: number[] } };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: {
    readonly push?: { readonly branches: readonly string[] };
    readonly schedule?: readonly { readonly cron: string }[];
  } & Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency: { readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const readWorkflow = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;

const { engines, scripts } = JSON.parse(read('package.json')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};
/** The lowest version of each range that `engines` lists: ">=24" also allows newer majors, which CI need not run. */
const lowest = engines.node.split('||').map((range) => minVersion(new Range(range))!);
const majors = lowest.map((version) => major(version));

function commandsIn({ jobs }: Workflow): string[] {
  return Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run = '' }) => run.split('\n').filter((line) => /^\s*np[mx]\b/.test(line))),
  );
}

describe.each(readdirSync(join(ROOT, '.github/workflows')))('%s', (name) => {
  const workflow = readWorkflow(name);

  test('default: every npm command is a script of package.json', () => {
    const commands = commandsIn(workflow);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [, script] = /^npm (?:run )?([\w:]+)$/.exec(command.trim()) ?? [];
      expect(script, command).toBeDefined();
      expect(scripts, command).toHaveProperty([script!]);
    }
  });

  test('behavior: jobs can only read the repository, and they end', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.concurrency['cancel-in-progress']).toBe(true);
    for (const [id, job] of Object.entries(workflow.jobs)) {
      expect(job, id).not.toHaveProperty('permissions');
      expect(job['timeout-minutes'], id).toBeLessThanOrEqual(180);
    }
  });

  test('behavior: every job sets up a supported Node with the npm cache', () => {
    for (const [id, { steps }] of Object.entries(workflow.jobs)) {
      const [setup] = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
      expect(setup?.with, id).toMatchObject({ cache: 'npm' });
      const version = setup!.with!['node-version'] ?? setup!.with!['node-version-file'];
      expect(version, id).toMatch(/^(\.nvmrc|\$\{\{ matrix\.node \}\})$/);
    }
  });
});

describe('ci.yml', () => {
  const { on, jobs } = readWorkflow('ci.yml');
  const tests = Object.values(jobs).filter(({ steps }) =>
    steps.some(({ run }) => run === 'npm test'),
  );

  test('default: runs on pushes to main and on pull requests', () => {
    expect(on.push?.branches).toEqual(['main']);
    expect(on).toHaveProperty('pull_request');
  });

  test('behavior: tests both systems on every Node major that engines lists', () => {
    expect(tests).toHaveLength(1);
    const [{ strategy, ...job }] = tests as [Job];
    expect(job['runs-on']).toMatch(/^\$\{\{ matrix\.os \}\}$/);
    expect(strategy?.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest'], node: majors });
    expect(majors).toEqual([20, 22, 24]);
  });

  test('behavior: runs the check in one job', () => {
    const checks = Object.values(jobs).filter(({ steps }) =>
      steps.some(({ run }) => run === 'npm run check'),
    );
    expect(checks).toHaveLength(1);
    expect(checks[0]).not.toHaveProperty('strategy');
  });
});

describe('nightly.yml', () => {
  test('default: runs the full suite on a schedule and on demand', () => {
    const workflow = readWorkflow('nightly.yml');
    expect(commandsIn(workflow)).toEqual(['npm run test:full']);
    expect(workflow.on).toHaveProperty('workflow_dispatch');
    expect(workflow.on.schedule).toHaveLength(1);
    // Once a day, at a fixed minute and hour.
    expect(workflow.on.schedule![0]!.cron).toMatch(/^\d{1,2} \d{1,2} \* \* \*$/);
  });
});

describe('Node version', () => {
  const recommended = majors.slice(1);

  test('default: .nvmrc is a recommended major', () => {
    expect(recommended).toContain(Number(read('.nvmrc').trim()));
  });

  test.each(['README.md', 'docs/quick-start.md', 'server/README.md'])(
    'behavior: %s names the recommended majors and the minimum',
    (file) => {
      const text = read(file).replaceAll(/\s+/g, ' ');
      const { major, minor } = lowest[0]!;
      expect(text).toContain(`Node ${recommended.join(' or ')} is recommended`);
      expect(text).toContain(`${major}.${minor} is the minimum`);
    },
  );
});

describe('issue templates', () => {
  const folder = '.github/ISSUE_TEMPLATE';

  test('default: every form has a name, a description, and a required field', () => {
    const forms = readdirSync(join(ROOT, folder)).filter((name) => name !== 'config.yml');
    expect(forms).toHaveLength(2);
    for (const name of forms) {
      const form = parse(read(`${folder}/${name}`));
      const text = expect.stringMatching(/./);
      expect(form, name).toMatchObject({ name: text, description: text });
      const required = form.body.filter(
        (field: { validations?: { required: boolean } }) => field.validations?.required,
      );
      expect(required.length, name).toBeGreaterThan(0);
    }
  });

  test('behavior: vulnerabilities are reported by SECURITY.md', () => {
    const { contact_links } = parse(read(`${folder}/config.yml`));
    expect(contact_links[0].about).toContain('SECURITY.md');
    expect(read(`${folder}/bug_report.yml`)).toContain('SECURITY.md');
    expect(existsSync(join(ROOT, 'SECURITY.md'))).toBe(true);
  });
});
