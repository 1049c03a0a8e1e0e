import { describe, expect, test } from 'vitest';
import { parseConfig } from './load.ts';
import { ConfigError } from './problem.ts';

const ENV = {
  SLACK: 'https://hooks.slack.com/services/T0/B0/secret-part',
  BOT: '123:secret-part',
};

function textOf(alerts: string): string {
  return `chains: [{ id: 1, name: ethereum }]
families:
  - slug: one
    name: One
    address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
    adapter: erc4626
    base: { marketDataId: usd }
    share: { marketDataId: one }
    chains: [{ chain: 1, role: settlement }]
alerts:
${alerts}`;
}

function problemsOf(alerts: string): string[] {
  try {
    parseConfig({ file: 'a.yaml', text: textOf(alerts), env: ENV });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).not.toContain('secret-part');
    return error.message.split('\n');
  }
}

describe('alerts', () => {
  test('default', () => {
    const text = textOf(`
  targets:
    ops: { slack: "\${SLACK}" }
    phone: { telegram: "\${BOT}", chat: "-100123" }
  rules:
    - { name: fall, kind: share-price-falls, by: 0.5%, within: 6h, silence: 0s, targets: [ops] }
    - { name: big, kind: large-deposit, above: 2500.5, clear: 100 }
    - { name: slow, kind: wait-above, above: 3d, clear: 1d }
    - { name: rate, kind: apy-outside, below: 2%, above: 15% }
    - { name: holes, kind: gap, families: [one] }
`);
    const { alerts } = parseConfig({ file: 'a.yaml', text, env: ENV });
    expect(alerts!.targets).toEqual([
      { name: 'ops', kind: 'slack', url: ENV.SLACK, allowPrivate: false },
      { name: 'phone', kind: 'telegram', token: ENV.BOT, chat: '-100123' },
    ]);
    const [fall, big, slow, rate, holes] = alerts!.rules;
    expect(fall).toEqual({
      ...{ name: 'fall', kind: 'share-price-falls', families: ['one'], targets: ['ops'] },
      ...{ within: 21_600, silence: 0 },
      fire: { value: 5_000n, decimals: 0 },
      clear: { value: 25_000n, decimals: 1 },
    });
    expect(big).toMatchObject({
      fire: { value: 25_005n, decimals: 1 },
      clear: { value: 100n, decimals: 0 },
      targets: ['ops', 'phone'],
    });
    expect(slow).toMatchObject({ fire: { value: 259_200n }, clear: { value: 86_400n } });
    expect(rate).toMatchObject({
      fire: { value: 1n },
      clear: { value: -2_500n },
      band: { low: 20_000n, high: 150_000n },
    });
    expect(holes).toMatchObject({ fire: { value: 1n }, clear: { value: 0n }, silence: 3_600 });
  });

  test('error: each problem with its line', () => {
    expect(
      problemsOf(`  targets:
    ops: { slack: "https://hooks.slack.com/services/secret-part" }
    both: { slack: "\${SLACK}", discord: "\${SLACK}" }
    phone: { telegram: "\${BOT}" }
  rules:
    - { name: a, kind: share-price-falls }
    - { name: a, kind: gap, above: 1h }
    - { name: b, kind: tvl-moves, by: 5%, clear: 5% }
    - { name: c, kind: wait-above, above: 5% }
    - { name: d, kind: apy-outside }
    - { name: e, kind: apy-outside, below: 9%, above: 3% }
    - { name: f, kind: gap, families: [two], targets: [op] }
    - { name: g, kind: queue-above, above: 0 }
`),
    ).toMatchSnapshot();
  });

  test('error: kinds and shapes', () => {
    expect(
      problemsOf(`  rules:
    - { name: A B, kind: price }
    - { name: b, kind: large-exit, above: many }
    - { name: c, kind: tvl-moves, by: 5, within: 1 hour }
`),
    ).toMatchSnapshot();
  });
});
