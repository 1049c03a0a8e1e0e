import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkChains } from '../../src/check/check.ts';
import { parseConfig } from '../../src/config/load.ts';
import { findPreset } from '../../src/config/presets.ts';
import { ConfigError } from '../../src/config/problem.ts';
import { draftConfig } from '../../src/init/init.ts';
import type { RatedSystem } from './ratedActs.ts';
import { playFunds } from './ratedFunds.ts';
import { mutationsOf } from './ratedMutations.ts';
import { fileOf, type RatedPlayed } from './ratedPlay.ts';
import { playQueues } from './ratedQueues.ts';
import { playStaking } from './ratedStaking.ts';

/** Pairs of fields that always have the same value, so naming the other one changes nothing. */
const SAME: ReadonlySet<string> = new Set([
  'superstate-ustb: another holder of OffchainRedeem',
  'upshift: another holder of Withdraw',
  'lido-steth: another holder of WithdrawalClaimed',
]);

/** Timeout for deployment and play on a busy machine. */
const PATIENT = 600_000;

function load(text: string) {
  return parseConfig({ file: 'assay.yaml', text, env: {} });
}

/** Returns the error and warning lines of `check`, or the errors of the loader. */
async function complaintsOf(text: string): Promise<{ errors: string[]; warnings: string[] }> {
  try {
    const { lines } = await checkChains(load(text));
    const said = (wanted: (one: (typeof lines)[number]) => boolean) =>
      lines.filter(wanted).map((line) => line.text);
    return { errors: said(({ ok }) => !ok), warnings: said(({ warning }) => warning === true) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { errors: [error.message], warnings: [] };
  }
}

describe.each([
  ['staking', playStaking],
  ['funds', playFunds],
  ['queues', playQueues],
])('presets on their models: %s', (_, play) => {
  let played: RatedPlayed;
  beforeAll(async () => {
    played = await play();
  }, PATIENT);
  afterAll(() => played?.chain.close());

  test(
    'default: check finds nothing wrong',
    async () => {
      const found: string[] = [];
      for (const system of played.systems) {
        const { errors } = await complaintsOf(fileOf(system));
        found.push(...errors.map((text) => `${system.preset}: ${text}`));
      }
      expect(found).toEqual([]);
    },
    PATIENT,
  );

  test(
    'default: init writes each from its address',
    async () => {
      for (const system of played.systems) await expectDraft(system);
    },
    PATIENT,
  );

  test(
    'default: a wrong description is never served silently',
    async () => {
      const silent: string[] = [];
      const distinct = new Set<string>();
      let [all, asErrors] = [0, 0];
      for (const system of played.systems) {
        const right = await complaintsOf(fileOf(system));
        const unseen = right.warnings.join('\n');
        const roles = new Set(['share', 'vault', ...Object.keys(system.contracts)]);
        for (const { name, key, rated } of mutationsOf(findPreset(system.preset)!, roles)) {
          if (SAME.has(`${system.preset}: ${name}`)) continue;
          all += 1;
          distinct.add(`${system.preset} ${JSON.stringify(rated)}`);
          const { errors, warnings } = await complaintsOf(fileOf(system, { ...rated }));
          if (errors.length > 0) {
            asErrors += 1;
            continue;
          }
          // An event that was never emitted proves nothing even in a correct description, and `check` warns of it.
          const part = /^flows\[\d+\]|^\w+/.exec(key)![0];
          const named = warnings.filter((text) => text.includes(`.rated.${part}`));
          const isNew = named.some((text) => !unseen.includes(text.split(' ').slice(1).join(' ')));
          const neverSeen = unseen.includes(`${system.preset}: ${part}`);
          if (!isNew && !neverSeen) silent.push(`${system.preset}: ${name} (${key})`);
        }
      }
      expect(silent).toEqual([]);
      expect(distinct.size).toBe(all);
      // Over the three cases, more than 50 mistakes are errors. Mistakes in events that were never emitted and in
      // unproven rates are only warnings.
      console.info(`${asErrors} of ${all} wrong descriptions are errors`);
      expect(asErrors * 10).toBeGreaterThan(all * 7);
      expect(asErrors).toBeGreaterThanOrEqual(17);
    },
    PATIENT,
  );
});

/** The file that `init` drafts, with the missing values filled in, equals the handwritten one. */
async function expectDraft({ preset, place, contracts, ...system }: RatedSystem): Promise<void> {
  const { chain, vaults } = place;
  const read = findPreset(preset)!;
  const { text, lines } = await draftConfig(
    {
      chains: [{ chainId: chain.chainId, url: chain.url }],
      vaults: [{ chain: null, address: vaults[0]! }],
      feeds: [],
      ...(read.recognize === undefined && { preset }),
    },
    { file: 'assay.yaml', schema: 'docs/assay.schema.json' },
  );
  expect(text).toContain('    adapter: rated\n');
  expect(text).toContain(`    preset: ${preset}\n`);
  const open = Object.entries(read.contracts ?? {}).filter(([, { call }]) => call === undefined);
  const asked = lines.filter(({ mark }) => mark === 'missing').map((line) => line.text);
  let filled = text;
  for (const [role, { is }] of open) {
    expect(asked).toContain(`families[0].chains[0].rated.contracts.${role}: ${is}`);
    const value = contracts[role] ? `"${contracts[role]}"` : 'none';
    filled = filled.replace(new RegExp(`# ( *)${role}: "0x…"`), `$1${role}: ${value}`);
  }
  filled = filled.replace(/^( +)# (rated:| {2}contracts:)/gm, '$1$2');
  const [drafted, written] = [filled, fileOf({ preset, place, contracts, ...system })].map(
    (one) => load(one).families[0]!.chains[0]!,
  );
  // The share has its own key, so its role is not needed.
  expect({ ...drafted!.rated, contracts: {} }).toEqual({ ...written!.rated, contracts: {} });
  expect(drafted!.startBlock).toBeLessThanOrEqual(written!.startBlock);
}
