import { stringify } from 'yaml';
import type { Config } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/load.ts';
import type { Address } from '../../src/domain/hex.ts';
import type { Contract } from '../realVaults/chain.ts';
import { createShapes, OWNER } from './shapes.ts';

export const TIMED_CHAIN = 8453;
/** Blocks until one is final. */
export const DEPTH = 8;
export const UNIT = 1_000_000n;
export const [ALICE, BOB, CAROL, DAVE]: readonly [Address, Address, Address, Address] = [
  '0x00000000000000000000000000000000000a11c1',
  '0x0000000000000000000000000000000000000b0b',
  '0x00000000000000000000000000000000000ca701',
  '0x00000000000000000000000000000000000da7e1',
];

/** An ERC-7540 vault whose requests settle by time, and an ERC-4626 vault with gains that it does not count yet. */
export interface TimedVaults {
  readonly url: string;
  heads(): ReadonlyMap<number, number>;
  /** `rpc` replaces the URLs of the chain. */
  config(options?: { readonly rpc?: readonly string[] }): Config;
  /** Mines blocks in which nothing happens. */
  mine(blocks: number): Promise<void>;
  close(): Promise<void>;
}

export async function createTimedVaults(): Promise<TimedVaults> {
  const shapes = await createShapes({ chainId: TIMED_CHAIN });
  const { chain, deploy } = shapes;
  const usd = await deploy('ShapeToken', 'USD', 6);
  const timed = await deploy('TimedQueue', usd.address);
  const late = await deploy('LateGains', usd.address);
  for (const wallet of [ALICE, BOB, CAROL, DAVE]) {
    await chain.send(OWNER, usd, 'mint', [wallet, 1_000n * UNIT]);
    for (const vault of [timed, late]) {
      await chain.send(wallet, usd, 'approve', [vault.address, 1_000n * UNIT]);
    }
  }
  // The adapter holds more than the vault counts.
  await chain.send(ALICE, late, 'deposit', [100n * UNIT, ALICE]);
  await chain.send(OWNER, late, 'invest', [80n * UNIT]);
  await chain.send(OWNER, usd, 'mint', [await chain.read(late, 'adapter'), 7n * UNIT]);
  // Alice claims 40 of the 100 that have settled by time, and requests a redemption of 30 of those shares, which
  // becomes claimable.
  await chain.send(ALICE, timed, 'requestDeposit', [100n * UNIT, ALICE, ALICE]);
  chain.advance(4_000);
  await chain.send(ALICE, timed, 'claim', [1n, 40n * UNIT, ALICE]);
  await chain.send(ALICE, timed, 'requestRedeem', [30n * UNIT, ALICE, ALICE]);
  // Carol exits immediately with 10 of her 20 shares, for a fee of a tenth, and cancels a request.
  await chain.send(CAROL, timed, 'deposit', [20n * UNIT, CAROL]);
  await chain.send(CAROL, timed, 'leave', [10n * UNIT, CAROL, OWNER]);
  await chain.send(CAROL, timed, 'requestRedeem', [4n * UNIT, CAROL, CAROL]);
  await chain.send(CAROL, timed, 'cancel', [3n]);
  // Dave can claim more than the vault holds of pending deposits.
  await chain.send(DAVE, timed, 'deposit', [300n * UNIT, DAVE]);
  await chain.send(DAVE, timed, 'requestRedeem', [200n * UNIT, DAVE, DAVE]);
  // Bob's deposit settles by time, without any further event of the vault.
  await chain.send(BOB, timed, 'requestDeposit', [50n * UNIT, BOB, BOB]);
  for (let i = 0; i < 15; i++) {
    chain.advance(600);
    await chain.mine();
  }
  return {
    url: chain.url,
    heads: () => new Map([[TIMED_CHAIN, chain.tip.number]]),
    config: ({ rpc = [chain.url] } = {}) => configOf(rpc, timed, late),
    async mine(blocks) {
      for (let i = 0; i < blocks; i++) await chain.mine();
    },
    close: () => shapes.close(),
  };
}

function configOf(rpc: readonly string[], timed: Contract, late: Contract): Config {
  const family = (slug: string, { address }: Contract, adapter: string) => ({
    ...{ slug, name: slug, address, adapter },
    base: { marketDataId: 'usd' },
    share: { marketDataId: slug },
    chains: [{ chain: TIMED_CHAIN, role: 'settlement', startBlock: 1 }],
  });
  const chain = { id: TIMED_CHAIN, name: 'base', rpc, finality: { depth: DEPTH } };
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [{ ...chain, pollSeconds: 0.1, timeoutSeconds: 60 }],
    families: [family('timed', timed, 'erc7540'), family('late', late, 'erc4626')],
  };
  return parseConfig({ file: 'timed.yaml', text: stringify(file), env: {} });
}
