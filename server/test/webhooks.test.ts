import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StoreCommand } from '../src/commands/storeCommand.ts';
import { STORE_COMMANDS } from '../src/commands/storeCommands.ts';
import type { Config, WebhookConfig } from '../src/config/config.ts';
import type { EventFeed } from '../src/domain/events/event.ts';
import { listenForEvents } from '../src/http/events/eventCommits.ts';
import { createEventFeed } from '../src/http/events/eventFeed.ts';
import { eventWire } from '../src/http/events/eventWire.ts';
import { loadCursorKey } from '../src/http/vault/cursor.ts';
import { events } from '../src/store/events/events.ts';
import { families as familyRows } from '../src/store/families/families.ts';
import { payments } from '../src/store/payments/payments.ts';
import { sharePrices } from '../src/store/prices/sharePrices.ts';
import { type Store, statement } from '../src/store/store.ts';
import { webhookAttempts } from '../src/store/webhooks/attempts.ts';
import { webhooks } from '../src/store/webhooks/webhooks.ts';
import { RETRY_WINDOW_MS } from '../src/webhooks/retry.ts';
import { startWebhooks, type Webhooks } from '../src/webhooks/webhooks.ts';
import { describeAnyEngine } from './database.ts';
import { claimOf, randomHex } from './paymentClaim.ts';
import {
  newSecret,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './webhookReceiver.ts';

const CHAIN = 8453;
const KEY = '0x0b';
const ED25519 = `whsk_${Buffer.alloc(32, 7).toString('base64')}`;
const wire = eventWire(KEY);
const clear = statement('test.webhooks.clear', 'delete from webhook');
const clearAttempts = statement('test.webhooks.clearAttempts', 'delete from webhook_attempt');

describeAnyEngine('webhooks', (open) => {
  let store: Store;
  let feed: EventFeed;
  let config: Config;
  let ids: Map<string, number>;
  let block = 0;
  let clock = 0;
  const cleanUp: (() => Promise<void>)[] = [];
  const seen: unknown[][] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    store = await open();
    const vault = { chainId: CHAIN, address: `0x${'11'.repeat(20)}` };
    const slugs = ['one', 'two'];
    const families = slugs.map((slug) => ({ slug, chains: [vault] }));
    config = { file: 'assay.yaml', families } as unknown as Config;
    const rows = await store.transaction((tx) => familyRows.register(tx, slugs));
    ids = new Map(rows.map(({ slug, familyId }) => [slug, familyId]));
    const commits = await listenForEvents(store);
    const { onCommit } = commits;
    feed = createEventFeed({ config, store: { reads: store }, onCommit, isOperator: true });
    return commits.stop;
  }, 60_000);
  beforeEach(async () => {
    await store.query(clear);
    await store.query(clearAttempts);
    clock = Date.now();
    seen.length = 0;
    errors.length = 0;
  });
  afterEach(async () => {
    for (const clean of cleanUp.splice(0).reverse()) await clean();
    expect(errors).toEqual([]);
  });

  async function receiver(options: Partial<WebhookReceiverOptions> = {}) {
    const started = await startWebhookReceiver({ name: 'receiver', now: () => clock, ...options });
    cleanUp.push(started.stop);
    return started;
  }

  async function start(endpoints: readonly WebhookConfig[], timeoutMs = 5_000): Promise<Webhooks> {
    const started = await startWebhooks({
      ...{ endpoints, store, feed, wire, timeoutMs },
      now: () => clock,
      delay: () => 0,
      hooks: {
        onAttempt: (...args) => seen.push(['attempt', ...args]),
        onFailing: (...args) => seen.push(['failing', ...args]),
        onRecovered: (...args) => seen.push(['recovered', ...args]),
        onPaused: (...args) => seen.push(['paused', ...args]),
        onError: (error) => errors.push(error),
      },
    });
    cleanUp.push(started.stop);
    // A new endpoint starts at the newest event, so events must be added only after that.
    for (const { name } of endpoints) {
      await expect.poll(() => webhooks.find(store, name)).toBeDefined();
    }
    return started;
  }

  /** Commits a share price of a family; returns the price, which is unique to this event. */
  async function publish(slug = 'one'): Promise<string> {
    block++;
    const [familyId, at] = [ids.get(slug)!, 1_700_000_000 + block];
    await store.transaction(async (tx) => {
      const place = { chainId: CHAIN, blockNumber: block, logIndex: 0, blockTime: at };
      await sharePrices.insert(tx, familyId, CHAIN, [{ place, price: BigInt(block) }]);
      const range = { fromBlock: block, toBlock: block, fromTime: at, toTime: at };
      await events.add(tx, { chainId: CHAIN, families: [familyId], ...range }, 0);
    });
    return `${block}`;
  }

  async function publishSome(count: number, slug?: string): Promise<string[]> {
    const prices = [];
    for (let i = 0; i < count; i++) prices.push(await publish(slug));
    return prices;
  }

  const pricesOf = ({ messages }: Pick<WebhookReceiver, 'messages'>) =>
    messages.flatMap((message) =>
      message.events.map(({ data }) => (data as { assetsPerShare: string }).assetsPerShare),
    );
  const untilPrice = (one: WebhookReceiver, price: string | undefined) =>
    one.until(() => pricesOf(one).includes(price!));
  const hook = (one: WebhookReceiver, own: Partial<WebhookConfig> = {}): WebhookConfig => ({
    ...{ name: 'hook', delivery: 'applied', ...one.endpoint },
    ...own,
  });
  const idle = (name = 'hook') =>
    expect
      .poll(async () => (await webhooks.getProgress(store, 2e9)).find((one) => one.name === name))
      .toMatchObject({ lagSeconds: 0, attempts: 0, failingSince: null });

  test('behavior: payments go only to an endpoint that lists them, without those of an aborted transaction', async () => {
    const [one, books] = [await receiver(), await receiver()];
    await start([hook(one), hook(books, { name: 'books', types: ['payment'] })]);
    const claims = [claimOf(), claimOf()];
    await payments.insert(store, claims);
    const settled = claims.map((claim) => ({ ...claim, transaction: randomHex(32), at: 100 }));
    const aborted = store.transaction(async (tx) => {
      await payments.settle(tx, [settled[0]!]);
      throw new Error('aborted');
    });
    await expect(aborted).rejects.toThrow('aborted');
    await payments.settle(store, [settled[1]!]);
    await untilPrice(one, await publish());
    await books.until((messages) => messages.length > 0);
    await idle('books');
    expect(books.messages.flatMap(({ events: all }) => all)).toMatchObject([
      { type: 'payment', state: 'applied', data: { nonce: claims[1]!.nonce, amount: '50000' } },
    ]);
    const types = one.messages.flatMap(({ events: all }) => all.map(({ type }) => type));
    expect(types).not.toContain('payment');
  });

  test('default: every event once and in order, and only those after the start', async () => {
    await publish();
    const one = await receiver();
    await start([hook(one)]);
    const prices = await publishSome(20);
    await untilPrice(one, prices.at(-1));
    expect(pricesOf(one)).toEqual(prices);
    await idle();
    expect(one.rejected()).toBe(0);
  });

  test('behavior: families and types', async () => {
    const [one, two, pools] = [await receiver(), await receiver(), await receiver()];
    await start([
      hook(one, { name: 'a', families: ['one'] }),
      hook(two, { name: 'b', families: ['two', 'one'], types: ['share-price'] }),
      hook(pools, { name: 'c', types: ['pool'] }),
    ]);
    const first = await publish('one');
    const second = await publish('two');
    await untilPrice(two, second);
    expect(pricesOf(two)).toEqual([first, second]);
    await untilPrice(one, first);
    for (const name of ['a', 'b']) await idle(name);
    expect(pricesOf(one)).toEqual([first]);
    expect(pools.messages).toEqual([]);
  });

  test('behavior: retries the same message after an error, then continues', async () => {
    const one = await receiver({ respond: (_, count) => (count <= 3 ? 'error' : 'ok') });
    await start([hook(one)]);
    const prices = [await publish()];
    await one.until(({ length }) => length >= 4);
    prices.push(await publish());
    await untilPrice(one, prices[1]);
    await idle();
    const [first, ...others] = one.messages;
    expect(others.slice(0, 3)).toEqual([first, first, first]);
    expect(pricesOf({ messages: one.messages.slice(3) })).toEqual(prices);
    expect(seen.filter(([what]) => what !== 'attempt')).toEqual([
      ['failing', 'hook', 'HTTP 500'],
      ['recovered', 'hook', expect.any(Number)],
    ]);
    const log = await webhookAttempts.getNewest(store, 'hook', 10);
    expect(log.map(({ error }) => error)).toEqual([null, null, 'HTTP 500', 'HTTP 500', 'HTTP 500']);
  });

  test('behavior: a deliverer stopped during a delivery skips nothing', async () => {
    const one = await receiver({
      respond: (_, count) => (['hang', 'lost', 'error'] as const)[count % 6] ?? 'ok',
    });
    const endpoints = [hook(one)];
    const prices: string[] = [];
    let running = await start(endpoints, 200);
    for (let i = 0; i < 6; i++) {
      const { length } = one.messages;
      prices.push(...(await publishSome(3)));
      await one.until((messages) => messages.length > length);
      await running.stop();
      prices.push(await publish());
      running = await start(endpoints, 200);
    }
    await untilPrice(one, prices.at(-1));
    await idle();
    // Each event's first delivery is in order, and redelivery starts at the endpoint's position.
    expect([...new Set(pricesOf(one))]).toEqual(prices);
    expect([...one.rows().values()]).toEqual(prices.map((price) => ({ assetsPerShare: price })));
  }, 60_000);

  test('behavior: an endpoint that hangs does not delay another', async () => {
    const [stuck, well] = [await receiver({ respond: () => 'hang' }), await receiver()];
    // The timeout is much longer than the test, so the second endpoint can only receive events if endpoints are
    // independent.
    await start([hook(stuck, { name: 'stuck' }), hook(well, { name: 'well' })], 600_000);
    const [first] = await publishSome(1);
    await untilPrice(stuck, first);
    const prices = await publishSome(10);
    await untilPrice(well, prices.at(-1));
    expect(pricesOf(well)).toEqual([first, ...prices]);
    expect(stuck.messages.length).toBe(1);
  });

  test('behavior: rotates secrets without a rejected message', async () => {
    const one = await receiver();
    const next = newSecret();
    const [old] = one.endpoint.secrets;
    const running = await start([hook(one, { secrets: [old!, next] })]);
    await untilPrice(one, await publish());
    one.rotate(next);
    await untilPrice(one, await publish());
    await running.stop();
    await start([hook(one, { secrets: [next] })]);
    await untilPrice(one, await publish());
    expect(one.rejected()).toBe(0);
  });

  test('behavior: paused after three days, and resumed where it stopped', async () => {
    let isWell = false;
    const one = await receiver({ respond: () => (isWell ? 'ok' : 'error') });
    await start([hook(one)]);
    const prices = [await publish()];
    await one.until(({ length }) => length > 0);
    clock += RETRY_WINDOW_MS;
    await expect
      .poll(() => webhooks.find(store, 'hook'))
      .toMatchObject({ pauseReason: 'retries', lastError: 'HTTP 500' });
    expect(seen.at(-1)).toEqual(['paused', 'hook', 'retries', 'HTTP 500']);
    prices.push(await publish());
    const { length } = one.messages;
    isWell = true;
    await webhooks.resume(store, 'hook');
    await untilPrice(one, prices[1]);
    expect(pricesOf({ messages: one.messages.slice(length) })).toEqual(prices);
  });

  test('behavior: an endpoint that returns 410 is paused at once', async () => {
    const one = await receiver({ respond: () => 410 });
    await start([hook(one)]);
    await publish();
    await expect
      .poll(() => webhooks.find(store, 'hook'))
      .toMatchObject({ pauseReason: 'unsubscribed' });
    expect(one.messages.length).toBe(1);
  });

  test('behavior: pause, and replay from a cursor of the log', async () => {
    const one = await receiver();
    await start([hook(one)]);
    const first = await publish();
    await untilPrice(one, first);
    const second = await publish();
    await untilPrice(one, second);
    await idle();
    const [newest] = await webhookAttempts.getNewest(store, 'hook', 1);
    expect(newest!.afterCursor).toBe(one.messages[0]!.cursor);
    await webhooks.pause(store, 'hook', 5);
    const state = (await webhooks.find(store, 'hook'))!;
    expect(state).toMatchObject({ pausedAt: 5, pauseReason: 'command' });
    const { length } = one.messages;
    const beginning = { ...state, batch: 0, tag: 0, blockNumber: 0, logIndex: 0, rank: 0 };
    expect(await webhooks.replay(store, state, beginning)).toBe(true);
    expect(await webhooks.replay(store, state, beginning)).toBe(false);
    await webhooks.resume(store, 'hook');
    await one.until((messages) => messages.length > length);
    await idle();
    const replayed = { messages: one.messages.slice(length) };
    expect(pricesOf(replayed)).toEqual(Array.from({ length: block }, (_, i) => `${i + 1}`));
    expect(new Set(one.messages.map(({ id }) => id)).size).toBe(one.messages.length);
  });

  test('error: a cursor of another feed', async () => {
    const one = await receiver();
    const running = await start([hook(one)]);
    await untilPrice(one, await publish());
    await idle();
    await running.stop();
    const state = (await webhooks.find(store, 'hook'))!;
    await webhooks.replay(store, state, { ...state, tag: state.tag + 1 });
    await start([hook(one)]);
    await one.until((messages) => messages.some(({ type }) => type === 'gone'));
    const next = await publish();
    await untilPrice(one, next);
    const { cursor } = one.messages.find(({ type }) => type === 'gone')!;
    expect(cursor).toBe(one.messages[0]!.cursor);
    expect(pricesOf({ messages: one.messages.slice(-1) })).toEqual([next]);
  });

  test('behavior: the commands', async () => {
    const one = await receiver();
    const endpoint = hook(one, { secrets: [...one.endpoint.secrets, ED25519] });
    const cursorKey = await loadCursorKey(store);
    const sealed = eventWire(cursorKey);
    const configured = { ...config, webhooks: [endpoint] };
    const run = async (name: string, args: object = {}) => {
      const lines: string[] = [];
      const command = STORE_COMMANDS.find((known) => known.name === `webhooks ${name}`)!;
      const { runOn } = command as StoreCommand<object>;
      const code = await runOn({ config: configured, store }, args, (line) => lines.push(line));
      return { code, text: lines.join('\n') };
    };
    const named = { name: 'hook' };
    expect((await run('list')).text).toMatch(/^hook {2}127\.0\.0\.1 {2}not started {2}whpk_/);
    await expect(run('pause', named)).rejects.toThrow('no server has started with webhook hook');
    await expect(run('test', { name: 'hok' })).rejects.toThrow('did you mean hook?');
    expect(await run('test', named)).toEqual({ code: 0, text: 'delivered: HTTP 200' });
    expect(one.messages).toMatchObject([{ type: 'test', events: [] }]);
    await start([endpoint]);
    const price = await publish();
    await untilPrice(one, price);
    await idle();
    expect((await run('list')).text).toMatch(
      /^hook {2}127\.0\.0\.1 {2}active {2}lag 0s {2}delivered \S+Z {2}whpk_\S+$/,
    );
    expect((await run('log', { ...named, limit: 5 })).text).toMatch(
      /^\S+Z {2}HTTP 200 {2}1 events {2}\d+ms {2}msg_\S+ {2}after \S+$/,
    );
    await run('pause', named);
    expect((await run('list')).text).toContain('paused since');
    await expect(run('replay', { ...named, after: 'x' })).rejects.toThrow('not a cursor');
    const gone = sealed.cursorOf({ ...(await feed.head()), tag: -1 });
    await expect(run('replay', { ...named, after: gone })).rejects.toThrow('are not stored');
    expect((await run('replay', { ...named, after: 'start' })).text).toContain('resume it as well');
    await run('resume', named);
    await one.until(({ length }) => length >= 3);
    expect(pricesOf({ messages: one.messages.slice(2) })[0]).toBe('1');
    // Neither the commands' output nor the log contains the URL or a secret.
    const texts = JSON.stringify([
      await run('list'),
      await run('log', { ...named, limit: 9 }),
      seen,
    ]);
    for (const hidden of ['/hook', ...endpoint.secrets]) expect(texts).not.toContain(hidden);
  });
});
