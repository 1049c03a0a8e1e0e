import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkChains } from '../../src/check/check.ts';
import { parseConfig } from '../../src/config/load.ts';
import type { Address } from '../../src/domain/hex.ts';
import { draftConfig } from '../../src/init/init.ts';
import { describeAnyEngine } from '../database.ts';
import { UNLIMITED } from './cast.ts';
import { type Contract, createLocalChain, type LocalChain, type Receipt } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import type { Family, Scenario } from './scenario.ts';
import { serve } from './serve.ts';
import { verified } from './verified.ts';

const UNIT = 10n ** 6n;

interface Status {
  readonly chains: readonly {
    readonly families: readonly {
      readonly notices: readonly { readonly code: string; readonly message: string }[];
    }[];
  }[];
}

interface Performance {
  readonly families: readonly object[];
}

interface Snapshot {
  readonly stats: { readonly tvl: string; readonly totalShares: string };
}

describeAnyEngine('a vault whose strategy is paid, and pays, by itself', (_, database) => {
  const [ann, bob, cleo, payer, fees, dealer] = createWallets(6) as [
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
  ];
  let chain: LocalChain;
  let vault: Contract;
  let scenario: Scenario;
  let sale: Receipt;
  let payout: Receipt;

  beforeAll(async () => {
    chain = await createLocalChain({ chainId: 31_373, startTime: startOfPlay(2) });
    const usd = await chain.deploy(OWNER, await npmCompiled('Token'), ['USD', 6]);
    vault = await chain.deploy(OWNER, await npmCompiled('StrategyPaidVault'), [usd.address]);
    const startBlock = chain.tip.number;
    for (const wallet of [ann, payer]) {
      await chain.send(OWNER, usd, 'mint', [wallet, 10_000n * UNIT]);
      await chain.send(wallet, usd, 'approve', [vault.address, UNLIMITED]);
    }
    await chain.send(ann, vault, 'deposit', [1_000n * UNIT, ann]);
    await chain.send(ann, vault, 'invest', [900n * UNIT]);
    chain.advance(3_600);
    sale = await chain.send(payer, vault, 'sell', [500n * UNIT, bob]);
    payout = await chain.send(ann, vault, 'payOut', [200n * UNIT, cleo]);
    // Neither is a sale that anyone could tell from outside.
    await chain.send(payer, vault, 'chargeBeside', [10n * UNIT, fees, dealer]);
    await chain.send(payer, vault, 'sellThrough', [20n * UNIT, dealer, cleo]);
    for (let i = 0; i < 3; i++) {
      chain.advance(2 * 3_600);
      await chain.mine();
    }
    const at = { chain, vaults: [vault.address], share: vault.address, asset: usd.address };
    const places = [{ ...at, startBlock, custody: [vault.address] }];
    const family: Family = { slug: 'paid', kind: 'erc4626', places };
    scenario = { families: [family], book: undefined as never };
  }, 600_000);
  afterAll(() => chain?.close());

  test('behavior: init and check name the sale and the payment', async () => {
    const { text, lines } = await draftConfig(
      {
        chains: [{ chainId: chain.chainId, url: chain.url }],
        vaults: [{ chain: null, address: vault.address }],
        feeds: [],
      },
      { file: 'assay.yaml', schema: 'schema.json' },
    );
    const config = parseConfig({ file: 'assay.yaml', text, env: {} });
    const { lines: checked } = await checkChains(config);
    for (const message of [
      new RegExp(`bought without a Deposit event in 1 of .*${sale.hash}`),
      new RegExp(`paid out without a Withdraw event in 1 of .*${payout.hash}`),
    ]) {
      expect(lines).toContainEqual({ mark: 'missing', text: expect.stringMatching(message) });
      expect(checked).toContainEqual(
        expect.objectContaining({ warning: true, text: expect.stringMatching(message) }),
      );
    }
  });

  test('behavior: status, the wallets, and verify say so, and TVL and supply are right', async () => {
    const { config, open } = database();
    const served = await serve(scenario, config);
    try {
      await served.live();
      const { chains } = await served.get<Status>('/v1/status');
      expect(chains[0]!.families[0]!.notices.map(({ code, message }) => [code, message])).toEqual([
        ['unseen-deposit', expect.stringMatching(`in 1 transaction, such as ${sale.hash}`)],
        ['unseen-redemption', expect.stringMatching(`in 1 transaction, such as ${payout.hash}`)],
      ]);
      const entryOf = async (wallet: Address) =>
        (await served.get<Performance>(`/v1/performance/${wallet}`)).families;
      expect(await entryOf(bob)).toMatchObject([{ costBasis: '0', costIncomplete: true }]);
      expect(await entryOf(ann)).toMatchObject([{ realized: '0', costIncomplete: true }]);
      for (const wallet of [fees, cleo]) {
        expect(await entryOf(wallet)).toMatchObject([{ sharesBalance: expect.any(String) }]);
        expect(await entryOf(wallet)).not.toMatchObject([{ costIncomplete: true }]);
      }
      const { stats } = await served.get<Snapshot>('/v1/vaults/paid');
      expect(stats.tvl).toBe(String(await chain.read(vault, 'totalAssets')));
      expect(stats.totalShares).toBe(String(await chain.read(vault, 'totalSupply')));
    } finally {
      await served.stop();
    }
    const found = await verified(await open(), scenario);
    expect(found).toEqual([
      expect.stringMatching(/invariant 13 .*1 transactions minted paid shares without a deposit/),
      expect.stringMatching(
        /invariant 17 .*1 transactions paid for burned shares without a redemption/,
      ),
    ]);
  });
});
