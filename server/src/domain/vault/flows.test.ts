import { describe, expect, test } from 'vitest';
import { type Address, type Hex, ZERO_ADDRESS } from '../hex.ts';
import type { Accounts } from '../wallet/accounts.ts';
import type { EventOf, FlowAction, VaultEvent } from './event.ts';
import { readFlows } from './flows.ts';
import { createFlowTrust } from './flowTrust.ts';
import { interpret } from './interpret.ts';
import { createRequestBook, type RedeemRequest } from './requestBook.ts';

const [ALICE, BOB, QUEUE, SHARE] = [1, 2, 3, 4].map(
  (digit): Address => `0x${String(digit).repeat(40)}`,
) as [Address, Address, Address, Address];
const PRICE = { assets: 3n, shares: 2n };
let logIndex = 0;

function at(block = 1, tx = 1) {
  const place = { blockTime: block * 10, chainId: 1, blockNumber: block, logIndex: logIndex++ };
  return { place, txHash: `0x${String(tx).padStart(64, '0')}` as Hex };
}

function flow(action: FlowAction, given: Partial<EventOf<'flow'>>, block = 1): VaultEvent {
  const nothing = { owner: null, receiver: null, shares: null, assets: null, id: null, idTo: null };
  return {
    kind: 'flow',
    event: action,
    action,
    contract: QUEUE,
    ...nothing,
    ...at(block, block),
    ...given,
  };
}

function transfer(from: Address, to: Address, shares: bigint, block = 1): VaultEvent {
  return { kind: 'transfer', from, to, shares, ...at(block, block) };
}

function bought(from: Address, to: Address, shares: bigint): VaultEvent {
  return { kind: 'transfer', from, to, shares, bought: true, ...at() };
}

function accounts(): Accounts {
  return { vaults: new Set([SHARE]), custody: new Set([QUEUE]), routers: new Set() };
}

function read(events: readonly VaultEvent[], open: readonly RedeemRequest[] = []) {
  const book = createRequestBook(open);
  const meant = readFlows(events, { book, accounts: accounts(), price: PRICE });
  const shown = meant.flatMap(({ kind, ...event }) =>
    kind === 'transfer' ? [] : [{ kind, ...without(event) }],
  );
  return { shown, book };
}

function without({ place: _, txHash: __, ...rest }: Omit<VaultEvent, 'kind'>): object {
  return rest;
}

function pending(id: bigint, given: Partial<RedeemRequest> = {}): RedeemRequest {
  return {
    ...{ contract: QUEUE, id, wallet: ALICE, shares: 10n, assets: 15n, settled: false },
    ...given,
  };
}

describe('deposits and exits', () => {
  test('default: the share transfers of the transaction fill what the event leaves out', () => {
    const { shown } = read([
      flow('deposit', { owner: ALICE, assets: 30n }),
      transfer(ZERO_ADDRESS, BOB, 5n),
      transfer(ZERO_ADDRESS, ALICE, 20n),
      transfer(BOB, ZERO_ADDRESS, 7n),
      flow('exit', { shares: 7n }),
    ]);
    expect(shown).toEqual([
      { kind: 'deposit', owner: ALICE, sender: ALICE, assets: 30n, shares: 20n },
      { kind: 'withdraw', owner: BOB, receiver: BOB, assets: null, shares: 7n },
    ]);
  });

  test('behavior: two deposits of one wallet have a mint each, in their order', () => {
    const { shown } = read([
      flow('deposit', { owner: ALICE, assets: 1n }),
      transfer(ZERO_ADDRESS, ALICE, 10n),
      flow('deposit', { owner: ALICE, assets: 2n }),
      transfer(ZERO_ADDRESS, ALICE, 20n),
    ]);
    expect(shown).toMatchObject([
      { assets: 1n, shares: 10n },
      { assets: 2n, shares: 20n },
    ]);
  });

  test('behavior: without share transfers, nothing was bought', () => {
    const { shown } = read([
      flow('deposit', { owner: ALICE, assets: 30n }),
      transfer(ZERO_ADDRESS, BOB, 5n),
    ]);
    expect(shown).toEqual([]);
  });

  test('behavior: shares that are taken as a fee are not burned and do not wait', () => {
    const { shown, book } = read([
      transfer(ALICE, ZERO_ADDRESS, 98n),
      transfer(ALICE, BOB, 2n),
      flow('exit', { owner: ALICE, shares: 100n, fee: 2n }),
      transfer(ALICE, QUEUE, 49n),
      transfer(ALICE, BOB, 1n),
      flow('request', { id: 1n, owner: ALICE, shares: 50n, fee: 1n }),
    ]);
    expect(shown).toMatchObject([
      { kind: 'withdraw', owner: ALICE, shares: 98n },
      { kind: 'redeem-request', owner: ALICE, shares: 49n },
    ]);
    expect(book.changes().queues.get(ALICE)).toMatchObject({ pendingRedeem: 49n });
    // If the fee is deducted from the payment, all shares are burned.
    const paid = flow('exit', { owner: ALICE, shares: 100n, fee: 2n });
    expect(read([transfer(ALICE, ZERO_ADDRESS, 100n), paid]).shown).toMatchObject([
      { shares: 100n },
    ]);
  });

  test('behavior: mints and burns that count as bought are deposits and exits at the rate', () => {
    const { shown } = read([
      bought(ZERO_ADDRESS, ALICE, 5n),
      bought(BOB, ZERO_ADDRESS, 6n),
      bought(ZERO_ADDRESS, QUEUE, 9n),
      bought(ZERO_ADDRESS, BOB, 8n),
      flow('deposit', { owner: BOB, shares: 8n, assets: 11n }),
    ]);
    expect(shown).toEqual([
      { kind: 'deposit', owner: ALICE, sender: ALICE, assets: null, shares: 5n },
      { kind: 'withdraw', owner: BOB, receiver: BOB, assets: null, shares: 6n },
      { kind: 'deposit', owner: BOB, sender: BOB, assets: 11n, shares: 8n },
    ]);
  });
});

describe('requests', () => {
  test('default: a cancel and a claim get owner and amount from the number alone', () => {
    const { shown, book } = read(
      [flow('cancel', { id: 1n }), flow('claim', { id: 2n, receiver: BOB })],
      [pending(1n), pending(2n, { shares: 20n, assets: 33n })],
    );
    expect(shown).toEqual([
      { kind: 'cancel', receiver: ALICE, assets: null, shares: 10n },
      { kind: 'withdraw', owner: ALICE, receiver: BOB, assets: 33n, shares: 20n },
    ]);
    expect(book.changes().queues.get(ALICE)).toMatchObject({ pendingRedeem: 0n });
  });

  test('behavior: a range settles its requests, at the promised amounts or at the rate', () => {
    const open = [
      pending(1n),
      pending(2n, { assets: null }),
      pending(3n, { wallet: BOB }),
      pending(1n, { contract: SHARE }),
    ];
    const { book } = read([flow('settle', { id: 1n, idTo: 2n, assets: 99n })], open);
    const { requests, queues } = book.changes();
    expect(requests.map(({ id, assets, settled }) => [id, assets, settled])).toEqual([
      [1n, 15n, true],
      [2n, 15n, true],
    ]);
    expect(queues.get(ALICE)).toMatchObject({
      ...{ pendingRedeem: 10n, claimableRedeem: 20n, claimableRedeemAssets: 30n },
    });
    expect(queues.has(BOB)).toBe(false);
  });

  test('behavior: of wallets that share a number the one that is named, else all of them', () => {
    const open = [pending(7n), pending(7n, { wallet: BOB, shares: 30n })];
    const one = read([flow('claim', { id: 7n, owner: BOB, assets: 8n })], open).shown;
    expect(one).toMatchObject([{ owner: BOB, shares: 30n, assets: 8n }]);
    const all = read([flow('claim', { id: 7n, assets: 8n })], open).shown;
    expect(all).toMatchObject([
      { owner: ALICE, shares: 10n, assets: 2n },
      { owner: BOB, shares: 30n, assets: 6n },
    ]);
  });

  test('behavior: without numbers, a claim takes the shares that custody burns with it', () => {
    const open = [pending(0n, { shares: 50n, assets: null })];
    const { shown, book } = read(
      [transfer(QUEUE, ZERO_ADDRESS, 20n), flow('claim', { receiver: ALICE, assets: 31n })],
      open,
    );
    expect(shown).toMatchObject([{ kind: 'withdraw', owner: ALICE, shares: 20n, assets: 31n }]);
    expect(book.changes().queues.get(ALICE)).toMatchObject({ pendingRedeem: 30n });
  });

  test('behavior: claims without numbers, processed together, each end the requests that were promised their amount', () => {
    const ask = (receiver: Address, shares: bigint, assets: bigint, block: number) =>
      flow('request', { owner: receiver, receiver, shares, assets }, block);
    const open = [ask(ALICE, 10n, 15n, 1), ask(ALICE, 10n, 17n, 2), ask(BOB, 4n, 6n, 2)];
    const { shown, book } = read([
      ...open,
      ask(ALICE, 5n, 9n, 3),
      // All shares of the day at once.
      transfer(QUEUE, ZERO_ADDRESS, 24n, 4),
      flow('claim', { receiver: ALICE, assets: 32n }, 4),
      flow('claim', { receiver: BOB, assets: 6n }, 4),
    ]);
    expect(shown.slice(4)).toMatchObject([
      { kind: 'withdraw', owner: ALICE, shares: 10n, assets: 15n },
      { kind: 'withdraw', owner: ALICE, shares: 10n, assets: 17n },
      { kind: 'withdraw', owner: BOB, shares: 4n, assets: 6n },
    ]);
    const { queues } = book.changes();
    expect([ALICE, BOB].map((one) => queues.get(one)!.pendingRedeem)).toEqual([5n, 0n]);
  });

  test('behavior: a claim without numbers or burns closes settled requests, not pending ones', () => {
    const open = [
      pending(1n, { settled: true }),
      pending(2n, { settled: true, shares: 30n, assets: 60n }),
      pending(3n, { shares: 70n, assets: null }),
    ];
    const { shown, book } = read([flow('claim', { receiver: ALICE, assets: 75n })], open);
    // Each request was settled at a different price.
    expect(shown).toMatchObject([
      { shares: 10n, assets: 15n },
      { shares: 30n, assets: 60n },
    ]);
    expect(book.changes().queues.get(ALICE)).toMatchObject({
      ...{ pendingRedeem: 70n, claimableRedeem: 0n, claimableRedeemAssets: 0n },
    });
  });

  test('behavior: an event may list the numbers of several requests', () => {
    const open = [1n, 2n, 3n].map((id) => pending(id, { settled: true }));
    const claim = flow('claim', { owner: ALICE, ids: [1n, 3n], assets: 30n });
    const { shown, book } = read([claim], [...open, pending(3n, { wallet: BOB })]);
    expect(shown).toMatchObject([
      { owner: ALICE, shares: 10n, assets: 15n },
      { owner: ALICE, shares: 10n, assets: 15n },
    ]);
    expect(book.changes().queues.get(ALICE)).toMatchObject({ claimableRedeem: 10n });
  });

  test('behavior: a request that is moved waits under its new number', () => {
    const move = flow('move', { owner: ALICE, shares: 10n, id: 1n, idTo: 2n });
    const settled = flow('settle', { id: 1n, shares: 20n, assets: 40n });
    const open = [
      pending(1n, { assets: null }),
      pending(1n, { assets: null, wallet: BOB, shares: 20n }),
    ];
    const { shown, book } = read([move, settled], open);
    expect(shown).toEqual([]);
    const { requests, queues } = book.changes();
    expect(requests.map(({ id, wallet, shares, assets }) => [id, wallet, shares, assets])).toEqual([
      [1n, ALICE, 0n, null],
      [2n, ALICE, 10n, null],
      [1n, BOB, 20n, 40n],
    ]);
    expect(queues.get(ALICE)).toMatchObject({ pendingRedeem: 10n, claimableRedeem: 0n });
  });

  test('behavior: a settlement below the promised amount is divided by shares', () => {
    const open = [
      pending(1n, { assets: 100n, shares: 100n }),
      pending(2n, { assets: 130n, shares: 100n }),
      pending(3n, { assets: 270n, shares: 200n }),
    ];
    const settledFor = (assets: bigint) => {
      const { book } = read([flow('settle', { id: 1n, idTo: 3n, assets })], open);
      return book.changes().requests.map((one) => one.assets);
    };
    expect(settledFor(500n)).toEqual([100n, 130n, 270n]);
    // At 1.2 per share; the first request had been promised less.
    expect(settledFor(460n)).toEqual([100n, 120n, 240n]);
    expect(settledFor(360n)).toEqual([90n, 90n, 180n]);
    const { book } = read([flow('settle', { id: 2n, assets: 119n })], open);
    expect(book.changes().requests).toMatchObject([{ id: 2n, assets: 119n, settled: true }]);
  });

  test('behavior: reusing a number keeps the amounts that were settled under it', () => {
    const settle = flow('settle', { owner: ALICE, assets: 14n });
    const request = flow('request', { owner: ALICE, shares: 5n });
    const { book } = read([settle, request], [pending(0n)]);
    const { requests, queues } = book.changes();
    expect(queues.get(ALICE)).toMatchObject({
      ...{ pendingRedeem: 5n, claimableRedeem: 10n, claimableRedeemAssets: 14n },
    });
    // Simulates a restart: both are stored.
    const again = read(
      [settle, request, flow('claim', { owner: ALICE, assets: 22n })],
      requests.filter(({ shares }) => shares > 0n),
    );
    expect(again.shown.slice(1)).toMatchObject([{ kind: 'withdraw', shares: 15n, assets: 22n }]);
    expect(again.book.changes().queues.get(ALICE)).toMatchObject({
      pendingRedeem: 5n,
      claimableRedeem: 0n,
    });
  });

  test('behavior: a cancel without an amount covers the shares that custody returns', () => {
    const part = read([transfer(QUEUE, ALICE, 4n), flow('cancel', { id: 1n })], [pending(1n)]);
    expect(part.shown).toMatchObject([{ kind: 'cancel', shares: 4n }]);
    expect(part.book.changes().queues.get(ALICE)).toMatchObject({ pendingRedeem: 6n });
    const both = read(
      [
        flow('cancel', { id: 2n }),
        flow('cancel', { id: 1n }),
        transfer(QUEUE, ALICE, 10n),
        transfer(QUEUE, ALICE, 20n),
      ],
      [pending(1n), pending(2n, { shares: 20n })],
    );
    expect(both.shown).toMatchObject([{ shares: 20n }, { shares: 10n }]);
    const unnumbered = read(
      [
        transfer(QUEUE, ZERO_ADDRESS, 7n),
        transfer(QUEUE, ALICE, 4n),
        flow('cancel', { owner: ALICE }),
      ],
      [pending(0n)],
    );
    expect(unnumbered.shown).toMatchObject([{ shares: 4n }]);
    // A deposit in the same transaction does not count as returned shares.
    const replaced = read(
      [flow('cancel', { id: 1n }), transfer(ZERO_ADDRESS, ALICE, 4n)],
      [pending(1n)],
    );
    expect(replaced.shown).toMatchObject([{ shares: 10n }]);
  });

  test('behavior: of wallets that share a number, a wallet without a request ends none', () => {
    const open = [pending(7n), pending(7n, { wallet: BOB, shares: 30n })];
    const { shown, book } = read([flow('claim', { id: 7n, owner: SHARE, assets: 8n })], open);
    expect(shown).toEqual([]);
    expect(book.changes().requests).toEqual([]);
    // A bought request has one owner, even if its list has requests of its claimant.
    const bought = [pending(1n), pending(2n, { wallet: BOB })];
    const both = read([flow('claim', { ids: [1n, 2n], owner: ALICE, assets: 30n })], bought).shown;
    expect(both).toMatchObject([
      { owner: ALICE, shares: 10n, assets: 15n },
      { owner: BOB, shares: 10n, assets: 15n },
    ]);
  });

  test('behavior: a claim of more shares than were requested pays only those', () => {
    const claim = flow('claim', { id: 1n, shares: 40n, assets: 60n });
    expect(read([claim], [pending(1n)]).shown).toMatchObject([{ shares: 10n, assets: 15n }]);
    // The event's amount includes a fee that was taken at the request.
    const burned = transfer(QUEUE, ZERO_ADDRESS, 10n);
    const withFee = flow('claim', { id: 1n, shares: 11n, assets: 14n });
    expect(read([burned, withFee], [pending(1n)]).shown).toMatchObject([
      { shares: 10n, assets: 14n },
    ]);
  });

  test('behavior: a claim without an open request has no effect', () => {
    expect(read([flow('claim', { id: 5n, assets: 8n })], [pending(1n)]).shown).toEqual([]);
  });
});

describe('interpret with requests', () => {
  function play(events: readonly VaultEvent[]) {
    const requests = createRequestBook([]);
    return interpret(events, {
      accounts: accounts(),
      shareDecimals: 18,
      lastPrice: PRICE,
      priceAt: () => PRICE,
      queue: { by: 'requests', requests },
    });
  }

  test('default: shares in a queue are the wallet’s until they are paid', () => {
    const { movements, queues, requests, history } = play([
      transfer(ZERO_ADDRESS, ALICE, 100n),
      flow('deposit', { owner: ALICE, shares: 100n, assets: 140n }),
      transfer(ALICE, QUEUE, 40n, 2),
      flow('request', { id: 9n, owner: ALICE, shares: 40n, assets: 60n }, 2),
      flow('settle', { id: 9n }, 3),
      transfer(QUEUE, ZERO_ADDRESS, 40n, 3),
      flow('claim', { id: 9n, owner: ALICE, receiver: BOB, assets: 59n }, 4),
    ]);
    expect(
      movements.map(({ wallet, kind, shares, assets }) => [wallet, kind, shares, assets]),
    ).toEqual([
      [ALICE, 'deposit', 100n, 140n],
      [ALICE, 'exit', 40n, 59n],
    ]);
    expect(history.map(({ type, wallet, shares }) => [type, wallet, shares])).toEqual([
      ['deposit', ALICE, 100n],
      ['redeem', ALICE, 40n],
      ['withdraw', BOB, 40n],
    ]);
    expect(
      queues.map(({ place, queue }) => [
        place.blockNumber,
        queue.pendingRedeem,
        queue.claimableRedeem,
      ]),
    ).toEqual([
      [2, 40n, 0n],
      [3, 0n, 40n],
      [4, 0n, 0n],
    ]);
    expect(requests.map(({ request }) => [request.shares, request.settled])).toEqual([
      [40n, false],
      [40n, true],
      [0n, true],
    ]);
  });

  test('behavior: a payment that ends several requests is one item, since it is one event', () => {
    const { history, movements } = play([
      transfer(ZERO_ADDRESS, ALICE, 100n),
      flow('deposit', { owner: ALICE, shares: 100n, assets: 140n }),
      transfer(ALICE, QUEUE, 40n, 2),
      flow('request', { id: 8n, owner: ALICE, shares: 40n, assets: 60n }, 2),
      transfer(ALICE, QUEUE, 10n, 3),
      flow('request', { id: 9n, owner: ALICE, shares: 10n, assets: 16n }, 3),
      transfer(QUEUE, ZERO_ADDRESS, 50n, 4),
      flow('claim', { ids: [8n, 9n], owner: ALICE, assets: 76n }, 4),
    ]);
    expect(history.slice(3)).toMatchObject([
      { type: 'withdraw', wallet: ALICE, shares: 50n, assets: 76n },
    ]);
    expect(movements.slice(1)).toMatchObject([
      { kind: 'exit', shares: 40n, assets: 60n },
      { kind: 'exit', shares: 10n, assets: 16n },
    ]);
  });

  test('behavior: shares burned by a request and minted again by its cancel keep their cost', () => {
    const { movements } = play([
      transfer(ZERO_ADDRESS, ALICE, 100n),
      flow('deposit', { owner: ALICE, shares: 100n, assets: 140n }),
      transfer(ALICE, ZERO_ADDRESS, 40n, 2),
      flow('request', { id: 9n, owner: ALICE, shares: 40n }, 2),
      transfer(ZERO_ADDRESS, ALICE, 40n, 3),
      flow('cancel', { id: 9n }, 3),
    ]);
    expect(movements.map(({ kind, shares }) => [kind, shares])).toEqual([['deposit', 100n]]);
  });

  test.each([
    ['a settlement', flow('settle', { id: 9n }, 3), 40n],
    ['a move', flow('move', { id: 9n, idTo: 10n }, 3), 0n],
    ['a claim without a request', flow('claim', { id: 5n }, 3), 0n],
  ])('behavior: %s is alone in its transaction', (_, alone, claimable) => {
    const { queues } = play([
      transfer(ALICE, QUEUE, 40n, 2),
      flow('request', { id: 9n, owner: ALICE, shares: 40n }, 2),
      alone,
    ]);
    expect(queues.at(-1)!.queue.claimableRedeem).toBe(claimable);
  });

  test('behavior: cancelled shares that are not returned are lost', () => {
    const { movements } = play([
      transfer(ALICE, QUEUE, 40n, 2),
      flow('request', { id: 9n, owner: ALICE, shares: 40n }, 2),
      flow('cancel', { id: 9n }, 3),
    ]);
    expect(movements.map(({ kind, shares, assets }) => [kind, shares, assets])).toEqual([
      ['sent', 40n, 0n],
    ]);
  });
});

describe('trust in a description', () => {
  const UNITS = 10n ** 6n;

  function trustAfter(events: readonly VaultEvent[], times: number) {
    const trust = createFlowTrust();
    const context = { book: createRequestBook([]), accounts: accounts(), price: PRICE, trust };
    for (let i = 0; i < times; i++) readFlows(events, context);
    return trust.doubted();
  }

  const mint = transfer(ZERO_ADDRESS, ALICE, 2n * UNITS);
  const right = { owner: ALICE, shares: 2n * UNITS, assets: 3n * UNITS };

  test.each([
    ['fields that are swapped', { ...right, shares: 3n * UNITS, assets: 2n * UNITS }],
    ['wrong decimals', { ...right, assets: 3n * UNITS * 10n ** 12n }],
    ['another owner and no shares', { owner: BOB, assets: 3n * UNITS }],
  ])('default: %s are not trusted the third time', (_, wrong) => {
    expect(trustAfter([mint, flow('deposit', wrong)], 2)).toBeNull();
    expect(trustAfter([mint, flow('deposit', wrong)], 3)).toBe('deposit');
    expect(trustAfter([mint, flow('deposit', right)], 3)).toBeNull();
  });

  const SOLD = { shares: 2n * UNITS, assets: 3n * UNITS };

  test.each([
    ['a number that no request has', 'claim', { id: 5n, assets: 3n * UNITS }],
    ['a wallet without a request', 'claim', { owner: BOB, assets: 3n * UNITS }],
    ['more shares than were requested', 'claim', { id: 1n, shares: 9n * UNITS }],
    ['an amount with wrong decimals', 'claim', { id: 1n, assets: 30_000n }],
    ['an amount far from the promise', 'claim', { id: 1n, assets: 90n * UNITS }],
    ['a number that no request has', 'cancel', { id: 5n }],
    ['a number that no request has', 'settle', { id: 5n }],
    ['a number that no request has', 'move', { id: 5n, idTo: 6n }],
  ] as const)('default: %s is not trusted the third time (%s)', (_, action, wrong) => {
    function after(times: number, given: Partial<EventOf<'flow'>>) {
      const trust = createFlowTrust();
      for (let i = 0; i < times; i++) {
        const book = createRequestBook([pending(1n, SOLD)]);
        readFlows([flow(action, given)], { book, accounts: accounts(), price: PRICE, trust });
      }
      return trust.doubted();
    }
    expect(after(2, wrong)).toBeNull();
    expect(after(3, wrong)).toBe(action);
    expect(after(3, { ...wrong, id: 1n, owner: null, shares: null, assets: null })).toBeNull();
  });

  test.each([
    ['a payment', flow('deposit', right), true],
    ['an event without an amount', flow('deposit', { ...right, assets: null }), false],
    [
      'a payment in another asset',
      flow('deposit', { ...right, assets: null, foreign: true }),
      false,
    ],
    ['wrong decimals', flow('deposit', { ...right, assets: 3n * UNITS * 10n ** 12n }), false],
    ['a claim', flow('claim', { id: 1n, assets: 3n * UNITS }), true],
    ['a claim far from its value', flow('claim', { id: 1n, assets: 90n * UNITS }), false],
  ])('behavior: %s proves the rate, or not, also in another process', (_, event, proves) => {
    const trust = createFlowTrust();
    const book = createRequestBook([pending(1n, SOLD)]);
    readFlows([mint, event], { book, accounts: accounts(), price: PRICE, trust });
    expect(trust.isRateProven()).toBe(proves);
    expect(createFlowTrust(trust.take()).isRateProven()).toBe(proves);
  });

  test('behavior: events of no shares, and settlements without pending requests, prove nothing', () => {
    const trust = createFlowTrust();
    const context = { accounts: accounts(), price: PRICE, trust };
    for (let i = 0; i < 5; i++) {
      const book = createRequestBook([pending(1n, { ...SOLD, settled: true })]);
      const events = [
        flow('settle', { id: 5n }),
        flow('settle', { id: 5n, shares: 0n, assets: 0n }),
        flow('claim', { id: 5n, shares: 0n }),
      ];
      for (const event of events) readFlows([event], { ...context, book });
    }
    expect(trust.doubted()).toBeNull();
    expect(trust.take()).toEqual([]);
  });

  test.each([
    ['before any price is known', right, null],
    ['of so little that rounding decides', { ...right, shares: 20n, assets: 30n }, PRICE],
    ['paid in another asset', { ...right, assets: null, foreign: true as const }, PRICE],
  ])('behavior: an event %s proves nothing', (_, dust, price) => {
    const trust = createFlowTrust();
    const context = { book: createRequestBook([]), accounts: accounts(), trust };
    const small = transfer(ZERO_ADDRESS, ALICE, 20n);
    readFlows([mint, small, flow('deposit', dust)], { ...context, price });
    const wrong = flow('deposit', { ...right, assets: 3n * UNITS * 10n ** 12n });
    for (let i = 0; i < 3; i++) readFlows([mint, wrong], { ...context, price: PRICE });
    expect(trust.doubted()).toBe('deposit');
  });

  test('behavior: one contract proves nothing about another, and unproven amounts need a price', () => {
    const trust = createFlowTrust();
    const context = { book: createRequestBook([]), accounts: accounts(), price: PRICE, trust };
    const [own, other] = [flow('deposit', right), flow('deposit', { ...right, contract: SHARE })];
    readFlows([mint, own], context);
    const asks = trust.asking();
    expect([own, other].map((event) => event.kind === 'flow' && asks(event))).toEqual([
      false,
      true,
    ]);
    const wrong = flow('deposit', { ...right, contract: SHARE, owner: BOB, shares: null });
    for (let i = 0; i < 3; i++) readFlows([mint, wrong], context);
    expect(trust.doubted()).toBe('deposit');
  });

  test('behavior: another process gets the findings', () => {
    const context = { book: createRequestBook([]), accounts: accounts(), price: PRICE };
    const wrong = flow('deposit', { owner: BOB, assets: 3n * UNITS });
    const before = createFlowTrust();
    for (let i = 0; i < 2; i++) readFlows([mint, wrong], { ...context, trust: before });
    const found = before.take();
    expect(found).toMatchObject([{ fits: false }, { fits: false }]);
    expect(before.take()).toEqual([]);
    const after = createFlowTrust(found);
    expect(after.doubted()).toBeNull();
    readFlows([mint, wrong], { ...context, trust: after });
    expect(after.doubted()).toBe('deposit');
    readFlows([mint, flow('deposit', right)], { ...context, trust: after });
    const proven = createFlowTrust([...found, ...after.take()]);
    expect(proven.doubted()).toBeNull();
  });

  test('behavior: events that matched once stay trusted', () => {
    const trust = createFlowTrust();
    const context = { book: createRequestBook([]), accounts: accounts(), price: PRICE, trust };
    readFlows([mint, flow('deposit', right)], context);
    for (let i = 0; i < 5; i++) readFlows([flow('deposit', right)], context);
    expect(trust.doubted()).toBeNull();
  });
});
