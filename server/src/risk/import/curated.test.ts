import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { labelOfId } from '../../domain/risk/nodeId.ts';
import { CuratedFactsInvalid, readCurated, readCuratedDocument } from './curated.ts';

const root = join(import.meta.dirname, '../../../..');
const catalog = join(root, 'server/catalog');

function problems(text: string): string[] {
  try {
    readCurated(text, 'facts.yaml');
  } catch (error) {
    if (error instanceof CuratedFactsInvalid) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('readCurated', () => {
  test('default: the example of the documentation', () => {
    const page = readFileSync(join(root, 'docs/risk-facts.md'), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)![1]!;
    const records = readCurated(example);
    expect(records.map(({ node }) => node.id)).toEqual([
      'chain:base',
      'protocol:alpha-lending',
      'asset:base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      'pool:base:alpha-usdc',
    ]);
    expect(records[1]).toEqual({
      node: {
        id: 'protocol:alpha-lending',
        label: 'Protocol',
        facts: {
          name: 'Alpha Lending',
          slug: 'alpha-lending',
          category: 'Lending',
          listedAt: 1_646_092_800,
          audits: { status: 'reports', reports: 3 },
          upgrades: { by: 'timelock', delaySeconds: 172_800 },
          incidents: [
            {
              at: 1_704_758_400,
              lossUsd: 1_200_000,
              repaid: true,
              what: 'A price feed was wrong for an hour',
            },
          ],
        },
      },
      edges: [],
      citations: {
        category: { source: 'https://example.org/security', date: '2026-05-31' },
        launched: { source: 'https://example.org/security', date: '2026-05-31' },
        audits: { source: 'https://example.org/security', date: '2026-05-31' },
        upgrades: { source: 'The timelock contract, read on chain', date: '2026-06-02' },
        incidents: { source: 'https://example.org/post-mortem', date: '2026-05-31' },
      },
    });
    expect(records[3]!.edges.map(({ type, targetId, weight }) => [type, targetId, weight])).toEqual(
      [
        ['LIVES_ON', 'chain:base', 1],
        ['OPERATED_BY', 'protocol:alpha-lending', 1],
        ['ACCEPTS_DEPOSITS_IN', 'asset:base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 1],
        ['IS_COLLATERALIZED_BY', 'asset:base:0x4200000000000000000000000000000000000006', 0.9],
      ],
    );
  });

  test('behavior: an unquoted address stays an address', () => {
    const [record] = readCurated(
      'assets:\n  - chain: base\n    address: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913\n    name: U\n' +
        '    facts: [{ kind: other, source: s, date: 2026-01-01 }]\n',
    );
    expect(record!.node.id).toBe('asset:base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913');
  });

  test('error: every mistake with its line', () => {
    const text = `chains:
  - slug: base
    name: Base
    facts:
      - stage: 3
        color: blue
        source: here
        date: 2026-01-01
      - kind: rollup
        source: here
protocols:
  - slug: a b
    facts: []
  - slug: x
    name: X
    facts:
      - upgrades: { by: timelock, delay: soon }
        audits: { status: many }
        source: here
        date: yesterday
`;
    expect(problems(text)).toMatchInlineSnapshot(`
      [
        "facts.yaml:5: chains[0].facts[0].stage must be 0, 1 or 2",
        "facts.yaml:6: chains[0].facts[0].color is not a known key; use chainId, symbol, kind, stage, settlesTo, tvlUsd, dead, url, source, date",
        "facts.yaml:9: chains[0].facts[1].date is missing; add it",
        "facts.yaml:12: protocols[0].slug must be a slug such as aave-v3",
        "facts.yaml:13: protocols[0].facts must be a list of facts, each with its source and date",
        "facts.yaml:12: protocols[0].name is missing; add it",
        "facts.yaml:17: protocols[1].facts[0].upgrades.delay must be hours or days such as 48h or 7d",
        "facts.yaml:18: protocols[1].facts[0].audits.status must be one of reports, claimed, partial, none-recorded, unaudited",
        "facts.yaml:20: protocols[1].facts[0].date must be a day such as 2026-05-31",
      ]
    `);
  });

  test('error: mistakes beyond the shape', () => {
    const facts = (lines: string) =>
      `protocols:\n  - slug: x\n    name: X\n    facts:\n${lines.replace(/^/gm, '      ')}\n`;
    const said = 'source: s, date: 2026-01-01';
    expect([
      problems(facts(`- { category: A, ${said} }\n- { category: B, ${said} }`)),
      problems(facts(`- { ${said} }`)),
      problems(facts('- { category: A, source: s, date: 2026-02-30 }')),
      problems(facts(`- { audits: { status: reports }, ${said} }`)),
      problems(facts(`- { upgrades: { by: timelock }, ${said} }`)),
      problems(facts(`- { oracles: [x], ${said} }`)),
      problems(`chains:\n  - { slug: a, name: A, facts: [{ settlesTo: a, ${said} }] }`),
      problems(
        `chains:\n  - { slug: a, name: A, facts: [{ dead: true, ${said} }] }\n  - { slug: A, name: A, facts: [{ dead: true, ${said} }] }`,
      ),
      problems(`chains:\n  - { slug: a, name: "P\u0430ypal", facts: [{ dead: true, ${said} }] }`),
      problems('chains: [\n'),
      problems(''),
      problems('- 1'),
    ]).toMatchInlineSnapshot(`
      [
        [
          "facts.yaml:6: protocols[0].facts[1].category is given twice; keep one of the two",
        ],
        [
          "facts.yaml:5: protocols[0].facts[0] holds no fact; add one or remove it",
        ],
        [
          "facts.yaml:5: protocols[0].facts[0].date there is no day 2026-02-30",
        ],
        [
          "facts.yaml:2: protocols[0] has audits without their number; add reports",
        ],
        [
          "facts.yaml:2: protocols[0] has upgrades whose delay does not fit: a timelock has one, others have none",
        ],
        [
          "facts.yaml:2: protocols[0] depends on itself",
        ],
        [
          "facts.yaml:2: chains[0] settles to itself; name the chain that secures it",
        ],
        [
          "facts.yaml:3: chains[1] is chain:a, which stands above; put the facts together",
        ],
        [
          "facts.yaml:2: chains[0].name contains invisible or confusable characters; type it again",
        ],
        [
          "facts.yaml:2: this is not YAML; check quotes, colons, brackets and indentation",
        ],
        [
          "facts.yaml: must hold chains, protocols, assets, pools",
        ],
        [
          "facts.yaml:1: must hold chains, protocols, assets, pools",
        ],
      ]
    `);
  });

  test('error: not UTF-8', async () => {
    async function* bytes() {
      yield Buffer.from([0xff, 0xfe]);
    }
    await expect(readCuratedDocument(bytes())).rejects.toThrow(CuratedFactsInvalid);
  });
});

describe('JSON', () => {
  const protocol = { slug: 'alpha', name: 'Alpha', facts: [fact('Lending')] };

  function fact(category: string) {
    return { category, source: 'https://example.org', date: '2026-05-31' };
  }

  test('default: JSON gives the same as the equivalent YAML', () => {
    const json = JSON.stringify({ protocols: [protocol] });
    const [record] = readCurated(json);
    expect(record!.node.facts).toMatchObject({ name: 'Alpha', category: 'Lending' });
    expect(readCurated(json)).toEqual(readCurated(`# read as YAML\n${json}`));
  });

  test('behavior: a mistake is reported with its line, including a duplicate key', () => {
    const wrong = JSON.stringify({ protocols: [{ ...protocol, color: 'red' }] });
    expect(problems(wrong)).toEqual([
      expect.stringMatching(/^facts\.yaml:1: protocols\[0\]\.color is not a known key/),
    ]);
    const twice = JSON.stringify({ protocols: [protocol] }).replace(
      '"name":"Alpha"',
      '"name":"Alpha","name":"Beta"',
    );
    expect(problems(twice)).toEqual([expect.stringContaining('this is not YAML')]);
  });
});

describe('catalog', () => {
  test('default: every file is valid, and has enough entries to start with', async () => {
    const files = readdirSync(catalog);
    const read = await Promise.all(
      files.map((file) => readCuratedDocument(createReadStream(join(catalog, file)), file)),
    );
    const records = read.flat();
    const count = (label: string) => records.filter(({ node }) => node.label === label).length;
    expect(count('Chain')).toBeGreaterThanOrEqual(20);
    expect(count('Protocol')).toBeGreaterThanOrEqual(40);
    expect(count('Asset')).toBeGreaterThanOrEqual(40);
    expect(count('Pool')).toBeGreaterThanOrEqual(5);
    const ids = new Set(records.map(({ node }) => node.id));
    expect(ids.size).toBe(records.length);
    const nowhere = records.flatMap(({ edges }) =>
      edges.filter(({ targetId }) => !ids.has(targetId) || labelOfId(targetId) === undefined),
    );
    expect(nowhere).toEqual([]);
  });

  test('behavior: the build writes the same content as JSON', async () => {
    const built = join(root, 'server/dist/catalog');
    expect(readdirSync(built)).toHaveLength(readdirSync(catalog).length);
    for (const name of readdirSync(built)) {
      const text = readFileSync(join(built, name), 'utf8');
      const written = readFileSync(join(catalog, name.replace(/json$/, 'yaml')), 'utf8');
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
      expect(readCurated(text)).toEqual(readCurated(written));
    }
  });

  test("behavior: it contains the demo's protocols", async () => {
    const file = join(catalog, 'protocols.yaml');
    const records = await readCuratedDocument(createReadStream(file));
    const slugs = new Set(records.map(({ node }) => node.id));
    const plan = readFileSync(join(root, 'devnet/src/plan.ts'), 'utf8');
    const names = [...plan.matchAll(/pool\(\d+, '[^']+', '[^']+', '([^']+)'/g)].map(
      (each) => each[1]!,
    );
    expect(names.length).toBeGreaterThan(10);
    for (const name of new Set(names)) {
      expect(slugs, name).toContain(`protocol:${name.toLowerCase().replaceAll(' ', '-')}`);
    }
  });
});
