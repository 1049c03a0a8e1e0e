import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { COST_METHODS } from '../../domain/wallet/accounting/costMethod.ts';
import type { Store } from '../../store/store.ts';
import { BadParameters } from '../problem.ts';
import type { Route } from '../route.ts';
import { ledgerRoute } from './ledger.ts';
import { lotsRoute } from './lots.ts';
import type { LotItem } from './lotsSchema.ts';
import { performanceRoutes } from './performance.ts';
import type { PerformanceAnswer } from './performanceSchema.ts';
import { statementRoutes } from './statement.ts';
import type { StatementAnswer } from './statementSchema.ts';

interface LotPage {
  readonly items: LotItem[];
  readonly nextCursor: string | null;
}

interface LedgerEntry {
  readonly family: string;
  readonly type: string;
  readonly cost: string;
  readonly result: string | null;
}

const KEY: Hex = `0x${'11'.repeat(32)}`;

let served: ServedWorld;
let config: Config;
let now: number;
beforeAll(async () => {
  served = await serveWorld({ seed: 'accounting' });
  config = served.config();
  now = Math.max(...served.world.chains.map(({ chain }) => chain.tip.time));
});
afterAll(() => served?.close());

function sum<Item>(items: readonly Item[], amount: (item: Item) => string | null): bigint {
  return items.reduce((total, item) => total + BigInt(amount(item) ?? 0), 0n);
}

function yearOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 4);
}

/** Converts to units of 10^-30. */
function exact(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(30, '0'));
}

describeAnyEngine('accounting', (open) => {
  let store: Store;
  let wallets: string[];
  beforeAll(async () => {
    store = await open();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    const name = 'test.walletsWithMovements';
    const text = `select wallet from movement group by wallet order by count(*) desc, wallet`;
    const rows = await store.query<{ wallet: string }>({ name, text });
    wallets = rows.map(({ wallet }) => wallet);
  });

  const deps = () => ({ config, store, cursorKey: KEY });
  async function ask<Answer>(
    route: Route,
    wallet: string,
    query: Record<string, string> = {},
  ): Promise<Answer> {
    const entries = Object.entries(query).map(([key, value]): [string, string[]] => [key, [value]]);
    const answer = await route.answer({
      path: { walletAddress: wallet },
      query: new Map(entries),
      now,
    });
    expect([...Value.Errors(route.response, answer)]).toEqual([]);
    return answer as Answer;
  }
  const performance = (wallet: string, query?: Record<string, string>) =>
    ask<PerformanceAnswer>(performanceRoutes(deps())[0]!, wallet, query);
  const lots = (wallet: string, query?: Record<string, string>) =>
    ask<LotPage>(lotsRoute(deps()), wallet, { limit: '500', ...query });

  const statement = (wallet: string, query?: Record<string, string>) =>
    ask<StatementAnswer>(statementRoutes(deps())[0]!, wallet, { year: yearOf(now), ...query });
  const file = (wallet: string, query: Record<string, string>) =>
    ask<string>(statementRoutes(deps())[1]!, wallet, { year: yearOf(now), ...query });

  test('default: average equals the performance without a method', async () => {
    for (const wallet of wallets.slice(0, 10)) {
      expect(await performance(wallet, { method: 'average' })).toEqual(await performance(wallet));
    }
  });

  test('behavior: lots and ledger add up to the performance, and gains are equal under every method', async () => {
    let differing = 0;
    for (const wallet of wallets.slice(0, 10)) {
      const gains = new Map<string, Set<bigint>>();
      const costs = new Set<string>();
      for (const method of COST_METHODS) {
        const [{ families }, { items: held }, { items: left }, ledger] = await Promise.all([
          performance(wallet, { method }),
          lots(wallet, { method }),
          lots(wallet, { method, state: 'closed' }),
          ask<LedgerEntry[]>(ledgerRoute(deps()), wallet, { method }),
        ]);
        costs.add(JSON.stringify(families.map(({ costBasis }) => costBasis)));
        for (const entry of families) {
          const isOwn = ({ family }: { family: string }) => family === entry.family;
          const [openOnes, closed] = [held.filter(isOwn), left.filter(isOwn)];
          expect(sum(openOnes, ({ shares }) => shares)).toBe(BigInt(entry.sharesBalance));
          expect(sum(openOnes, ({ cost }) => cost)).toBe(BigInt(entry.costBasis));
          expect(sum(openOnes, (lot) => lot.currentValue)).toBe(BigInt(entry.currentValue!));
          expect(sum(openOnes, (lot) => lot.unrealized)).toBe(BigInt(entry.unrealized!));
          expect(sum(closed, (lot) => lot.realized)).toBe(BigInt(entry.realized));
          const own = ledger.filter(isOwn);
          expect(sum(own, ({ cost }) => cost)).toBe(BigInt(entry.costBasis));
          expect(sum(own, ({ result }) => result)).toBe(BigInt(entry.realized));
          const sent = sum(
            own.filter(({ type }) => type === 'sent'),
            ({ cost }) => cost,
          );
          const gain = BigInt(entry.realized) + BigInt(entry.unrealized!) + sent;
          gains.set(entry.family, (gains.get(entry.family) ?? new Set()).add(gain));
        }
      }
      for (const found of gains.values()) expect(found.size).toBe(1);
      if (costs.size > 1) differing++;
    }
    expect(differing).toBeGreaterThan(3);
  });

  test('behavior: pages of lots have every lot once, in order', async () => {
    const query = { method: 'fifo', state: 'closed' };
    const { items: all } = await lots(wallets[0]!, query);
    expect(all.length).toBeGreaterThan(2);
    const paged: LotItem[] = [];
    let cursor: string | null = null;
    do {
      const page: LotPage = await lots(wallets[0]!, {
        ...query,
        limit: '2',
        ...(cursor !== null && { cursor }),
      });
      paged.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
  });

  test('behavior: the statements of all years add up to the current performance', async () => {
    let moved = 0;
    for (const wallet of wallets.slice(0, 6)) {
      const method = moved % 2 === 0 ? 'fifo' : 'hifo';
      const { families } = await performance(wallet, { method });
      const first = await statement(wallet, { method, year: `${Number(yearOf(now)) - 1}` });
      const second = await statement(wallet, { method });
      for (const entry of families) {
        const years = [first, second].map((year) =>
          year.families.find(({ family }) => family === entry.family),
        );
        const realized = sum(years, (year) => year?.realized ?? null);
        expect(realized).toBe(BigInt(entry.realized));
        const [before, own] = years;
        if (own === undefined) continue;
        expect(own.opening.shares).toBe(before?.closing.shares ?? '0');
        expect(own.opening.cost).toBe(before?.closing.cost ?? '0');
        const gained = sum([own.deposits, own.transfersIn, own.rewards], ({ shares }) => shares);
        const lost = sum([own.exits, own.transfersOut, own.fees], ({ shares }) => shares);
        expect(BigInt(own.opening.shares) + gained - lost).toBe(BigInt(own.closing.shares));
        expect(own.closing).toMatchObject({
          shares: entry.sharesBalance,
          cost: entry.costBasis,
          value: entry.currentValue,
          unrealized: entry.unrealized,
        });
        expect(own.closing.valueUsd).toBeCloseTo(entry.usd!.currentValueUsd, 6);
        moved += own.entries.length;
      }
      expect(second.incompleteChains).toEqual([]);
    }
    expect(moved).toBeGreaterThan(10);
  });

  test('behavior: a movement belongs to the year of its time zone', async () => {
    const [wallet] = wallets as [string];
    const { families } = await statement(wallet, { timeZone: 'Pacific/Kiritimati' });
    const [first] = families.flatMap(({ entries }) => entries);
    const { from } = await statement(wallet, { timeZone: 'Pacific/Kiritimati' });
    expect(from.endsWith('-12-31T10:00:00.000Z')).toBe(true);
    expect(first!.at >= from).toBe(true);
  });

  test('behavior: several wallets together hold what each holds, and send each other nothing', async () => {
    const some = wallets.slice(0, 20);
    const [together, ...alone] = await Promise.all([
      statement(some[0]!, { wallets: some.slice(1).join(',') }),
      ...some.map((wallet) => statement(wallet)),
    ]);
    const all = alone.flatMap(({ families }) => families);
    for (const family of together!.families) {
      const own = all.filter((one) => one.family === family.family);
      expect(BigInt(family.closing.shares)).toBe(sum(own, ({ closing }) => closing.shares));
      const sent = sum(own, ({ transfersOut }) => transfersOut.shares);
      const received = sum(own, ({ transfersIn }) => transfersIn.shares);
      const [left, came] = [family.transfersOut.shares, family.transfersIn.shares].map(BigInt);
      expect(sent - left!).toBe(received - came!);
    }
    const netted = (one: StatementAnswer) => one.families.flatMap(({ entries }) => entries).length;
    expect(netted(together!)).toBeLessThan(alone.reduce((total, one) => total + netted(one), 0));
  });

  test('behavior: a journal of real movements balances in each currency', async () => {
    const [wallet] = wallets as [string];
    const text = await file(wallet, {
      format: 'journal',
      method: 'lifo',
      timeZone: 'Europe/Zurich',
    });
    const [head, ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(head!.slice(3, 6)).toEqual(['Debit', 'Credit', 'Currency']);
    const sums = new Map<string, bigint>();
    for (const [, , , debit, credit, currency] of rows) {
      const amount = exact(debit!) - exact(credit!);
      sums.set(currency!, (sums.get(currency!) ?? 0n) + amount);
    }
    expect(sums.size).toBeGreaterThanOrEqual(2);
    expect([...sums.values()].every((amount) => amount === 0n)).toBe(true);
    for (const format of ['koinly', 'cointracking']) {
      const lines = (await file(wallet, { format })).trimEnd().split('\r\n');
      const { families } = await statement(wallet);
      expect(lines.length - 1).toBe(families.flatMap(({ entries }) => entries).length);
    }
  });

  test.each([
    [{ timeZone: 'Mars/Base' }, 'timeZone is not a time zone of the IANA database'],
    [{ year: '1999' }, 'year must be an integer from 2015 to 2100'],
    [{ year: '2100' }, 'year has not begun in this time zone'],
    [{ wallets: '0x12' }, 'wallets must be an address'],
    [{ wallets: `0x${'1'.repeat(40)},`.repeat(21) }, 'wallets lists too many wallets'],
    [{ method: 'newest' }, 'method must be one of'],
  ])('error: a statement for %o', async (query, message) => {
    await expect(statement(wallets[0]!, query)).rejects.toThrow(message);
  });

  test('default: the current year, and a journal', async () => {
    const [wallet] = wallets as [string];
    const { year } = await ask<StatementAnswer>(statementRoutes(deps())[0]!, wallet);
    expect(`${year}`).toBe(yearOf(now));
    expect(await file(wallet, {})).toBe(await file(wallet, { format: 'journal' }));
  });

  test('error: a cursor of another request, and an unknown method', async () => {
    const { nextCursor } = await lots(wallets[0]!, { state: 'closed', limit: '1' });
    const foreign = lots(wallets[0]!, { state: 'closed', method: 'lifo', cursor: nextCursor! });
    await expect(foreign).rejects.toThrow(BadParameters);
    await expect(performance(wallets[0]!, { method: 'best' })).rejects.toThrow(
      'method must be one of average, fifo, lifo, hifo',
    );
  });
});
