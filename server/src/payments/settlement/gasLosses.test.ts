import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { gasLosses } from '../../store/payments/gasLosses.ts';
import { statement } from '../../store/store.ts';
import { bytes } from '../../store/wire.ts';
import type { GasLoss } from '../facilitator/gasGuard.ts';
import { createGasLosses } from './gasLosses.ts';

const PAYER: Address = `0x${'aa'.repeat(20)}`;

function loss(number: number, at: number): GasLoss {
  const transaction: Hex = `0x${number.toString(16).padStart(64, '0')}`;
  const kind = { hasCode: number % 3 === 0, penalized: number % 2 === 0 };
  return { payer: PAYER, transaction, gas: 50_000n, wei: 10n ** 20n, at, ...kind };
}

const WRITE_BEFORE = statement(
  'test.gasLosses.writeAsBefore',
  `insert into gas_loss (chain_id, transaction_hash, payer, gas, wei, blamed, at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

describeAnyEngine('gas losses', (open) => {
  test('default: the next process gets the losses of this one, for a day and its chain', async () => {
    const store = await open();
    let time = 1_000_000;
    const errors: unknown[] = [];
    const deps = { store, now: () => time, onError: (error: unknown) => errors.push(error) };
    const first = createGasLosses({ ...deps, chainId: 8453 });
    const learned: GasLoss[] = [];
    await first.start((losses) => learned.push(...losses));
    first.add(loss(1, time));
    time += 43_200;
    first.add(loss(2, time));
    await first.stop();
    expect(learned).toEqual([]);
    await gasLosses.add(store, 1, loss(3, time));
    time += 43_201;
    const second = createGasLosses({ ...deps, chainId: 8453 });
    await second.start((losses) => learned.push(...losses));
    await second.stop();
    expect(learned).toEqual([loss(2, 1_043_200)]);
    second.add(loss(4, time));
    await second.stop();
    second.add(loss(6, time));
    await second.stop();
    expect(await gasLosses.getSince(store, 8453, 0)).toEqual([
      loss(2, 1_043_200),
      loss(4, time),
      loss(6, time),
    ]);
    expect(errors).toEqual([]);
  });

  test('behavior: a loss recorded by the previous version counts as by a payer with code', async () => {
    const store = await open();
    const { transaction, payer, gas, wei, penalized, at } = loss(7, 3_000_000);
    await store.query(WRITE_BEFORE, [
      99,
      bytes(transaction),
      bytes(payer),
      gas,
      wei,
      penalized,
      at,
    ]);
    expect(await gasLosses.getSince(store, 99, 0)).toEqual([{ ...loss(7, at), hasCode: true }]);
  });

  test('behavior: processes on one store exchange losses, each once', async () => {
    const store = await open();
    if (store.engine === 'pglite') return;
    const deps = { store, chainId: 10, now: () => 2_000_000, onError: () => {}, everyMs: 10 };
    const [one, two] = [createGasLosses(deps), createGasLosses(deps)];
    const learned: GasLoss[][] = [[], []];
    await one.start((losses) => learned[0]!.push(...losses));
    await two.start((losses) => learned[1]!.push(...losses));
    one.add(loss(11, 2_000_000));
    await expect.poll(() => learned[1]).toEqual([loss(11, 2_000_000)]);
    one.add(loss(12, 2_000_000));
    await expect.poll(() => learned[1]).toEqual([loss(11, 2_000_000), loss(12, 2_000_000)]);
    expect(learned[0]).toEqual([]);
    await one.stop();
    await two.stop();
  });
});
