import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { HAS_PACKAGES } from '../server/test/debianPackages.ts';
import { runPromtool } from '../server/test/promtool.ts';
import { ALERT_CASES, type AlertCase, promtoolTests } from './alertCases.ts';
import { alertRules } from './deployMetrics.ts';

const PROMETHEUS = fileURLToPath(new URL('../deploy/prometheus/', import.meta.url));

describe('alert cases', () => {
  test('default: every alert has one, and there are no others', () => {
    const names = alertRules().map(({ alert }) => alert);
    expect(ALERT_CASES.map(({ alert }) => alert).sort()).toEqual([...names].sort());
  });
});

describe.runIf(HAS_PACKAGES)('alerts.yml in Prometheus', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-alerts-'));
    await copyFile(join(PROMETHEUS, 'alerts.yml'), join(folder, 'alerts.yml'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

  async function testRules(cases: readonly AlertCase[]) {
    const file = join(folder, 'cases.yml');
    await writeFile(file, stringify(promtoolTests(cases)));
    return runPromtool(['test', 'rules', file]);
  }

  test('default: rules and configuration are valid', async () => {
    const rules = await runPromtool(['check', 'rules', join(folder, 'alerts.yml')]);
    expect(rules, rules.output).toMatchObject({ code: 0 });
    expect(rules.output).toContain(`${alertRules().length} rules found`);
    const config = await runPromtool(['check', 'config', join(PROMETHEUS, 'prometheus.yml')]);
    expect(config, config.output).toMatchObject({ code: 0 });
  }, 300_000);

  test('default: each alert fires and clears', async () => {
    const { code, output } = await testRules(ALERT_CASES);
    expect(output).not.toContain('FAILED');
    expect(code).toBe(0);
  }, 300_000);

  test('error: a case in which nothing goes wrong fails, for every alert', async () => {
    const calm = ALERT_CASES.map((one) => ({
      ...one,
      series: one.series.map((series) => {
        const [before] = series.phases;
        return { ...series, phases: [before, before, before] as const };
      }),
    }));
    const { code, output } = await testRules(calm);
    expect(code).toBe(1);
    for (const { alert } of ALERT_CASES) expect(output).toContain(`alertname=\\"${alert}\\"`);
  }, 300_000);
});
