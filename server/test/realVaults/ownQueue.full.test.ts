import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkChains } from '../../src/check/check.ts';
import { parseConfig } from '../../src/config/load.ts';
import type { Address } from '../../src/domain/hex.ts';
import { draftConfig } from '../../src/init/init.ts';
import { describeAnyEngine, withDatabase } from '../database.ts';
import { UNLIMITED } from './cast.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import { configOf, type Family, type Scenario } from './scenario.ts';
import { serve } from './serve.ts';
import { verified } from './verified.ts';

const UNIT = 10n ** 6n;
const DAY = 86_400;

interface Status {
  readonly chains: readonly {
    readonly families: readonly {
      readonly family: string;
      readonly notices: readonly { readonly code: string; readonly message: string }[];
    }[];
  }[];
}

interface Performance {
  readonly families: readonly { readonly realized: string; readonly costIncomplete?: true }[];
}

interface Pending {
  readonly redeems: readonly { readonly shares: string }[];
}

describeAnyEngine(
  'a vault with ERC-4626 deposits, whose queue has events of its own',
  (_, database) => {
    const [ann, bob, cleo] = createWallets(3) as [Address, Address, Address];
    let chain: LocalChain;
    let vault: Contract;
    let scenario: Scenario;

    beforeAll(async () => {
      chain = await createLocalChain({ chainId: 31_371, startTime: startOfPlay(4) });
      const usd = await chain.deploy(OWNER, await npmCompiled('Token'), ['USD', 6]);
      vault = await chain.deploy(OWNER, await npmCompiled('LaggedVault'), [usd.address, 0n]);
      const startBlock = chain.tip.number;
      for (const wallet of [ann, bob, cleo]) {
        await chain.send(OWNER, usd, 'mint', [wallet, 10_000n * UNIT]);
        await chain.send(wallet, usd, 'approve', [vault.address, UNLIMITED]);
        await chain.send(wallet, vault, 'deposit', [1_000n * UNIT, wallet]);
      }
      await chain.send(OWNER, usd, 'mint', [vault.address, 30n * UNIT]);
      chain.advance(3_600);
      await chain.send(ann, vault, 'requestRedeem', [400n * UNIT, ann, ann]);
      await chain.send(bob, vault, 'requestRedeem', [100n * UNIT, bob, bob]);
      const day = BigInt(Math.floor((chain.tip.time + 300) / DAY) + 1);
      chain.advance(2 * DAY);
      await chain.send(ann, vault, 'claim', [0n, 0n, day, ann]);
      await chain.send(OWNER, vault, 'processAllClaimsByDate', [0n, 0n, day, 9n]);
      for (let i = 0; i < 4; i++) {
        chain.advance(2 * 3_600);
        await chain.mine();
      }
      const at = { chain, vaults: [vault.address], share: vault.address, asset: usd.address };
      const places = [{ ...at, startBlock, custody: [vault.address] }];
      const family: Family = { slug: 'queued', kind: 'erc4626', places };
      scenario = { families: [family], book: undefined as never };
    }, 600_000);
    afterAll(() => chain?.close());

    test('behavior: init and check report that redemptions are missing', async () => {
      const { text, lines } = await draftConfig(
        {
          chains: [{ chainId: chain.chainId, url: chain.url }],
          vaults: [{ chain: null, address: vault.address }],
          feeds: [],
        },
        { file: 'assay.yaml', schema: 'schema.json' },
      );
      const message = /shares were paid out without a Withdraw event in 2 of/;
      expect(lines).toContainEqual({ mark: 'missing', text: expect.stringMatching(message) });
      const config = parseConfig({ file: 'assay.yaml', text, env: {} });
      expect((await checkChains(config)).lines).toContainEqual(
        expect.objectContaining({ warning: true, text: expect.stringMatching(message) }),
      );
    });

    test('behavior: status, the performance of paid wallets, and verify report it', async () => {
      const { config, open } = database();
      const served = await serve(scenario, config);
      try {
        await served.live();
        const { chains } = await served.get<Status>('/v1/status');
        expect(chains[0]!.families[0]!.notices).toEqual([
          expect.objectContaining({
            code: 'unseen-redemption',
            message: expect.stringMatching(
              /paid out in 2 transactions, such as 0x[0-9a-f]+, without a Withdraw event/,
            ),
          }),
        ]);
        const entryOf = async (wallet: Address) =>
          (await served.get<Performance>(`/v1/performance/${wallet}`)).families[0]!;
        expect(await entryOf(ann)).toMatchObject({ realized: '0', costIncomplete: true });
        expect(await entryOf(bob)).toMatchObject({ realized: '0', costIncomplete: true });
        expect((await entryOf(cleo)).costIncomplete).toBeUndefined();
      } finally {
        await served.stop();
      }
      const found = await verified(await open(), scenario);
      expect(found).toContainEqual(
        expect.stringMatching(
          /invariant 17 .*2 transactions paid for burned shares without a redemption/,
        ),
      );
    });
  },
);

describeAnyEngine(
  'a vault that holds the shares of requests itself, and withdraws them',
  (_, database) => {
    const [ann, bob] = createWallets(2) as [Address, Address];
    let chain: LocalChain;
    let vault: Contract;
    let scenario: Scenario;

    beforeAll(async () => {
      chain = await createLocalChain({ chainId: 31_372, startTime: startOfPlay(4) });
      const usd = await chain.deploy(OWNER, await npmCompiled('Token'), ['USD', 6]);
      vault = await chain.deploy(OWNER, await npmCompiled('SelfQueueVault'), [usd.address]);
      const startBlock = chain.tip.number;
      for (const wallet of [ann, bob]) {
        await chain.send(OWNER, usd, 'mint', [wallet, 10_000n * UNIT]);
        await chain.send(wallet, usd, 'approve', [vault.address, UNLIMITED]);
        await chain.send(wallet, vault, 'deposit', [1_000n * UNIT, wallet]);
      }
      await chain.send(ann, vault, 'requestRedeem', [400n * UNIT]);
      await chain.send(bob, vault, 'requestRedeem', [100n * UNIT]);
      chain.advance(DAY);
      await chain.send(OWNER, usd, 'mint', [vault.address, 200n * UNIT]);
      await chain.send(ann, vault, 'claim', []);
      for (let i = 0; i < 4; i++) {
        chain.advance(2 * 3_600);
        await chain.mine();
      }
      const at = { chain, vaults: [vault.address], share: vault.address, asset: usd.address };
      const places = [{ ...at, startBlock, custody: [vault.address] }];
      const family: Family = { slug: 'own', kind: 'erc4626', places };
      scenario = { families: [family], book: undefined as never };
    }, 600_000);
    afterAll(() => chain?.close());

    test('default: with the file that init writes, redemptions are realized and queued shares are pending', async () => {
      const { text } = await draftConfig(
        {
          chains: [{ chainId: chain.chainId, url: chain.url }],
          vaults: [{ chain: null, address: vault.address }],
          feeds: [],
        },
        { file: 'assay.yaml', schema: 'schema.json' },
      );
      expect(text).toContain(
        `- "${getAddress(vault.address)}" # a Withdraw of shares in the vault`,
      );
      const [family] = scenario.families;
      const [place] = family!.places;
      const named = { ...place!, keys: { custody: [getAddress(vault.address)] } };
      const known: Scenario = { ...scenario, families: [{ ...family!, places: [named] }] };
      const { config, open } = database();
      const served = await serve(known, config);
      try {
        await served.live();
        const { chains } = await served.get<Status>('/v1/status');
        expect(chains[0]!.families[0]!.notices).toEqual([]);
        const entry = (await served.get<Performance>(`/v1/performance/${ann}`)).families[0]!;
        // 400 of 2,000 shares, over 2,200 units: 440 for what cost 400, less what the vault rounds.
        expect(entry).toMatchObject({ realized: String(40n * UNIT - 1n) });
        expect(entry.costIncomplete).toBeUndefined();
        const pending = await served.get<Pending>(`/v1/users/${bob}/pending-redeems`);
        expect(pending.redeems).toMatchObject([{ shares: String(100n * UNIT) }]);
      } finally {
        await served.stop();
      }
      expect(await verified(await open(), known)).toEqual([]);
    });

    test('behavior: without custody, status and check report it', async () => {
      await withDatabase('postgres', async ({ config }) => {
        const served = await serve(scenario, config);
        try {
          await served.live();
          const { chains } = await served.get<Status>('/v1/status');
          const codes = chains[0]!.families[0]!.notices.map(({ code }) => code);
          expect(codes).toEqual(['unseen-redemption']);
          const entry = (await served.get<Performance>(`/v1/performance/${ann}`)).families[0]!;
          expect(entry.costIncomplete).toBe(true);
        } finally {
          await served.stop();
        }
      });
      const config = parseConfig({ file: 'own.yaml', text: configOf(scenario), env: {} });
      expect((await checkChains(config)).lines).toContainEqual(
        expect.objectContaining({
          warning: true,
          text: expect.stringMatching(/custody: .*itself/),
        }),
      );
    });
  },
);
