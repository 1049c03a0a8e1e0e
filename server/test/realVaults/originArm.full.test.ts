import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkChains } from '../../src/check/check.ts';
import { verifyStore } from '../../src/commands/verify.ts';
import { parseConfig } from '../../src/config/load.ts';
import type { Address } from '../../src/domain/hex.ts';
import { draftConfig } from '../../src/init/init.ts';
import { withDatabase } from '../database.ts';
import { createBook } from './book.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { type ArmPlayed, configWithArms, playArms, startArm } from './originArmScenario.ts';
import { createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import { configOf, type Scenario } from './scenario.ts';
import { serve } from './serve.ts';
import { testScenario } from './testScenario.ts';

const ETHER = 10n ** 18n;

interface Status {
  readonly chains: readonly { readonly families: readonly { readonly notices: unknown }[] }[];
}

interface Performance {
  readonly families: readonly object[];
}

const draft = (chain: LocalChain, { address }: Contract) =>
  draftConfig(
    {
      chains: [{ chainId: chain.chainId, url: chain.url }],
      vaults: [{ chain: null, address }],
      feeds: [],
    },
    { file: 'assay.yaml', schema: 'schema.json' },
  );

describe('Origin ARM: rejected, while a vault on the same chain is served', () => {
  testScenario(playArms, {
    config: async (played) => configWithArms(played as ArmPlayed),
    killed: true,
  });
});

describe('Origin ARM: init and check', () => {
  let played: ArmPlayed;
  beforeAll(async () => {
    played = await playArms();
  });
  afterAll(() => played?.chain.close());

  test('error: init rejects it with the reason', async () => {
    const { chain, arms } = played;
    await expect(draft(chain, arms.arm)).rejects.toThrow(
      /converts as ERC-4626 does, but has none of maxDeposit\(\)/,
    );
    await expect(draft(chain, arms.limited)).rejects.toThrow(
      /sells shares without a Deposit event of ERC-4626, as in transaction 0x/,
    );
  });

  test('error: check names the entries of the file', async () => {
    const config = parseConfig({ file: 'arms.yaml', text: configWithArms(played), env: {} });
    const { lines } = await checkChains(config);
    const wrong = lines.filter(({ ok }) => !ok).map(({ text }) => text);
    expect(wrong).toEqual([
      expect.stringMatching(/^families\[1\]\.address: .* has none of maxDeposit\(\)/),
      expect.stringMatching(/^families\[2\]\.address: .* sells shares without a Deposit event/),
    ]);
  });
});

describe('shares bought without a Deposit event at a vault that emits deposits', () => {
  let chain: LocalChain;
  let scenario: Scenario;
  let arm: Contract;
  let buyer: Address;
  beforeAll(async () => {
    chain = await createLocalChain({ chainId: 31_337, startTime: startOfPlay(1) });
    const [alice, bob] = createWallets(2);
    const asset = await chain.deploy(OWNER, await npmCompiled('Token'), ['WETH', 18]);
    arm = await chain.deploy(OWNER, await npmCompiled('LimitedArm'), [asset.address]);
    const startBlock = chain.tip.number;
    await startArm(chain, asset, arm, [alice!, bob!]);
    for (const wallet of [alice, bob]) {
      await chain.send(OWNER, asset, 'mint', [wallet, 100n * ETHER]);
    }
    await chain.send(alice!, arm, 'depositAsVault', [10n * ETHER]);
    await chain.send(bob!, arm, 'deposit', [20n * ETHER, bob]);
    for (let i = 0; i < 4; i++) {
      chain.advance(2 * 3_600);
      await chain.mine();
    }
    const at = { chain, vaults: [arm.address], share: arm.address, asset: asset.address };
    const places = [{ ...at, startBlock, custody: [arm.address] }];
    buyer = bob!;
    scenario = { families: [{ slug: 'mixed', kind: 'erc4626', places }], book: createBook() };
  });
  afterAll(() => chain?.close());

  test('behavior: init and check report it', async () => {
    const { text, lines } = await draft(chain, arm);
    const message = /bought without a Deposit event in 2 of/;
    expect(lines).toContainEqual({ mark: 'missing', text: expect.stringMatching(message) });
    const config = parseConfig({ file: 'assay.yaml', text, env: {} });
    const { lines: checked } = await checkChains(config);
    expect(checked).toContainEqual(
      expect.objectContaining({ warning: true, text: expect.stringMatching(message) }),
    );
  });

  test('error: status and verify report the incomplete cost', async () => {
    await withDatabase('postgres', async ({ config: store, open }) => {
      const served = await serve(scenario, store);
      try {
        await served.live();
        const notices = await served.get<Status>('/v1/status');
        expect(notices.chains[0]!.families[0]!.notices).toEqual([
          expect.objectContaining({
            code: 'unseen-deposit',
            message: expect.stringMatching(/^Shares were bought without a Deposit event in 2 tra/),
          }),
        ]);
        const { families } = await served.get<Performance>(`/v1/performance/${buyer}`);
        expect(families).toEqual([
          expect.objectContaining({ costBasis: '0', costIncomplete: true }),
        ]);
        const config = parseConfig({ file: 'mixed.yaml', text: configOf(scenario), env: {} });
        const lines: string[] = [];
        const args = { family: null, wallets: 20, seed: 'arm' };
        const asked = { config, store: await open() };
        const code = await verifyStore.runOn(asked, args, (line) => lines.push(line));
        expect(code).toBe(1);
        const found = lines.filter((line) => line.startsWith('DIFFERENT'));
        expect(found[0]).toMatch(
          /invariant 13 .* 2 transactions minted paid shares without a deposit/,
        );
        // Findings come first; undecoded topics come last, before the summary.
        expect(lines.indexOf(found[0]!)).toBe(1);
        expect(lines.at(-2)).toMatch(/^mixed, chain 31337: topics not decoded: 0x/);
        expect(lines.filter((line) => line.includes('not decoded'))).toHaveLength(1);
      } finally {
        await served.stop();
      }
    });
  });
});
