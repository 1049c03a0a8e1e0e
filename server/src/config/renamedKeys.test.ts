import { describe, expect, test } from 'vitest';
import { parseConfig } from './load.ts';
import type { ConfigError } from './problem.ts';

const MINIMAL = 'chains: [{ id: 8453, name: base }]\nfamilies: []\n';
const PAYMENTS = `chain: 8453, asset: "0x${'11'.repeat(20)}", payTo: "0x${'22'.repeat(20)}", facilitator: { keys: ["0x${'ab'.repeat(32)}"] }`;

const parse = (text: string, env = {}) =>
  parseConfig({ file: 'assay.yaml', text: `${MINIMAL}${text}`, env });

function problemsOf(text: string): readonly string[] {
  try {
    parse(text);
  } catch (error) {
    return (error as ConfigError).message.split('\n');
  }
  throw new Error('the configuration is valid');
}

describe('renameKeys', () => {
  test('default: former keys keep their meaning, with a warning each', () => {
    const former = parse(
      `legacyApi: { until: 2027-03-31 }\npayments: { ${PAYMENTS}, keepAnswersHours: 2, escalation: { off: false, after: 7, most: 30 }, gas: { nativeUsd: 1, priceShare: 0.5, lostPerHour: 9 } }`,
    );
    const current = parse(
      `legacyApi: { until: 2027-03-31 }\npayments: { ${PAYMENTS}, responseRetentionHours: 2, escalation: { enabled: true, firstStepCalls: 70, maxFactor: 30 }, gas: { nativeUsd: 1, maxCostRatio: 0.5, maxFailedGasPerHour: 9 } }`,
    );
    expect(former).toEqual({ ...current, warnings: former.warnings });
    expect(current.warnings).toBeUndefined();
    expect(former.warnings).toHaveLength(6);
    expect(former.warnings![0]).toBe(
      'payments.keepAnswersHours is deprecated and will be removed; rename it to payments.responseRetentionHours',
    );
    expect(former.payments!.escalation!.firstStepCalls).toBe(70);
  });

  test('behavior: a section, a disabled section, and a number from the environment', () => {
    const { legacyApi, warnings } = parse('previousApi: { until: 2027-03-31 }');
    expect(legacyApi).toEqual(parse('legacyApi: { until: 2027-03-31 }').legacyApi);
    expect(warnings).toHaveLength(1);
    expect(parse(`payments: { ${PAYMENTS}, escalation: { off: true } }`).payments!.escalation).toBe(
      null,
    );
    const text = `payments: { ${PAYMENTS}, escalation: { after: "\${AFTER}" } }`;
    expect(parse(text, { AFTER: '7' }).payments!.escalation!.firstStepCalls).toBe(70);
  });

  test('error: both names, and an invalid value under the former name', () => {
    expect(
      problemsOf('previousApi: { until: 2027-03-31 }\nlegacyApi: { until: 2027-03-31 }'),
    ).toEqual([
      'assay.yaml:3: previousApi is the former name of legacyApi, which is set too; remove this key',
      expect.stringContaining('previousApi is not a known key'),
    ]);
    expect(problemsOf('events: {}\npreviousApi: { until: never }')[0]).toMatch(
      /^assay\.yaml:4: .*until must be a date/,
    );
  });
});
