import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { Claim } from '../../store/payments/paymentRow.ts';
import { payments } from '../../store/payments/payments.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import { createLedger, LEASE_SECONDS, type Ledger } from './ledger.ts';

const NOW = 1_800_000_000;
const TERMS = { chainId: 8453, asset: '0x00000000000000000000000000000000000000a5' } as const;
const ANSWER = { status: 200, headers: { a: 'b' }, body: Buffer.from('{}') };
const HASH: Hex = `0x${'ab'.repeat(32)}`;

describeEachEngine('ledger', (open) => {
  async function start(owner = 'one'): Promise<Ledger> {
    return createLedger({ store: await open(), owner, terms: TERMS, keepAnswersSeconds: 100 });
  }
  function claimOf(changes: Partial<Claim> = {}): Claim {
    return {
      ...TERMS,
      payer: random(20),
      nonce: random(32),
      value: 50_000n,
      payTo: '0x00000000000000000000000000000000000000bb',
      validAfter: 0,
      validBefore: NOW + 60,
      signature: '0x1234',
      identifier: null,
      route: 'node',
      calls: 1,
      request: `0x${'11'.repeat(32)}`,
      client: random(32),
      owner: 'one',
      leaseUntil: NOW + LEASE_SECONDS,
      fromBlock: 1,
      claimedBlock: 17,
      claimedAt: NOW,
      ...changes,
    };
  }
  const isOpen = async (ledger: Ledger, { nonce }: Claim, now: number) =>
    (await ledger.getOpen(now, 1_000)).some((row) => row.nonce === nonce);

  test('default: from claim to delivery', async () => {
    const ledger = await start();
    const claim = claimOf();
    expect(await ledger.claim(claim)).toEqual({
      ...{ kind: 'claimed', sent: false, fromBlock: 1, claimedBlock: 17 },
    });
    expect(await ledger.claim(claim)).toMatchObject({ kind: 'taken', row: { state: 'claimed' } });
    expect(await ledger.keepAnswer(claim, ANSWER, NOW)).toBe(true);
    expect(await ledger.keepAnswer(claim, ANSWER, NOW)).toBe(false);
    expect(await ledger.settled(claim, HASH, NOW + 1)).toBe(true);
    expect(await ledger.settled(claim, HASH, NOW + 2)).toBe(false);
    expect(await ledger.findWithCalls(claim)).toMatchObject({ settledCalls: 1 });
    await ledger.delivered(claim, HASH, NOW + 3);
    await ledger.delivered(claim, HASH, NOW + 4);
    expect(await ledger.find(claim)).toEqual({
      ...claim,
      state: 'settled',
      sent: true,
      answer: ANSWER,
      transaction: HASH,
      settledAt: NOW + 1,
      deliveredAt: NOW + 3,
      refundedAt: null,
      blockNumber: null,
      finalAt: null,
    });
  });

  test('behavior: items requested at once are found for each request', async () => {
    const ledger = await start();
    const [claimed, settled, unknown] = [claimOf(), claimOf(), claimOf()];
    for (const claim of [claimed, settled]) await ledger.claim(claim);
    await ledger.keepAnswer(settled, ANSWER, NOW);
    await ledger.settled(settled, HASH, NOW);
    const asked = [unknown, settled, claimed, settled];
    const rows = await Promise.all(asked.map((claim) => ledger.find(claim)));
    expect(rows.map((row) => row && [row.nonce, row.state])).toEqual([
      undefined,
      [settled.nonce, 'settled'],
      [claimed.nonce, 'claimed'],
      [settled.nonce, 'settled'],
    ]);
    const calls = (await Promise.all(asked.map(ledger.findWithCalls))).map(
      ({ settledCalls }) => settledCalls,
    );
    const expected = asked.map(({ payer }) => (payer === settled.payer ? 1 : 0));
    expect(calls).toEqual(expected);
  });

  test('behavior: of many concurrent claims one wins', async () => {
    const ledgers = [await start('one'), await start('two'), await start('three')];
    const claim = claimOf();
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const ledger = ledgers[i % 3]!;
        return ledger.claim({ ...claim, owner: ledger.owner });
      }),
    );
    expect(all.filter(({ kind }) => kind === 'claimed').length).toBe(1);
    expect(all.filter(({ kind }) => kind === 'taken').length).toBe(59);
  });

  test('behavior: of many that claim a released payment one wins', async () => {
    const ledgers = [await start('one'), await start('two')];
    const claim = claimOf();
    await ledgers[0]!.claim(claim);
    await ledgers[0]!.released(claim);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const ledger = ledgers[i % 2]!;
        return ledger.claim({ ...claim, owner: ledger.owner });
      }),
    );
    expect(all.filter(({ kind }) => kind === 'claimed').length).toBe(1);
    expect(all.filter(({ kind }) => kind === 'identifier-conflict')).toEqual([]);
  });

  test('behavior: a released payment is for its own request only, with the new values', async () => {
    const ledger = await start();
    const claim = claimOf();
    await ledger.claim(claim);
    await ledger.released(claim);
    const other = { ...claim, request: random(32) };
    expect(await ledger.claim(other)).toMatchObject({ kind: 'taken', row: { state: 'released' } });
    const changed = {
      ...claim,
      value: 7n,
      payTo: random(20),
      validBefore: NOW + 90,
      identifier: 'x',
    };
    expect(await ledger.claim(changed)).toMatchObject({ kind: 'claimed' });
    expect(await ledger.find(claim)).toMatchObject({ ...changed, state: 'claimed' });
  });

  test('behavior: a payment that was sent can be claimed again only with the same values', async () => {
    const ledger = await start();
    const claim = { ...claimOf(), identifier: null, fromBlock: 100, claimedBlock: 116 };
    await ledger.claim(claim);
    await ledger.keepAnswer(claim, ANSWER, NOW);
    expect(await ledger.unpaid(claim, NOW)).toBe(false);
    const changes = [{ value: 7n }, { payTo: random(20) }, { validBefore: NOW + 90 }];
    for (const change of changes) {
      const taken = { kind: 'taken', row: { state: 'released', value: claim.value } };
      expect(await ledger.claim({ ...claim, ...change })).toMatchObject(taken);
    }
    expect(await ledger.claim({ ...claim, fromBlock: 150, claimedBlock: 166 })).toEqual({
      kind: 'claimed',
      sent: true,
      fromBlock: 100,
      claimedBlock: 116,
    });
    // The payment may be on chain since the first attempt.
    expect(await ledger.find(claim)).toMatchObject({ state: 'claimed', fromBlock: 100 });
  });

  test('behavior: only the work in flight keeps its lease', async () => {
    const ledger = await start();
    const [kept, forgotten] = [claimOf(), claimOf()];
    await ledger.claim(kept);
    await ledger.claim(forgotten);
    await ledger.keepAnswer(forgotten, ANSWER, NOW);
    await ledger.renewLeases([kept], NOW + 10);
    const later = NOW + LEASE_SECONDS + 1;
    expect(await isOpen(ledger, kept, later)).toBe(false);
    expect(await isOpen(ledger, forgotten, later)).toBe(true);
    // The lease of another process is not renewed.
    const other = await start('two');
    await other.renewLeases([kept], NOW + 100);
    expect(await isOpen(ledger, kept, NOW + 10 + LEASE_SECONDS + 1)).toBe(true);
  });

  test('behavior: a response in delivery is not refunded, and a refunded one is not delivered', async () => {
    const ledger = await start();
    const claim = claimOf();
    await ledger.claim(claim);
    await ledger.keepAnswer(claim, ANSWER, NOW);
    await ledger.settled(claim, random(32), NOW);
    const transaction = random(32);
    const store = await open();
    const refund = (now: number) => paymentReports.refund(store, claim, { transaction, now });
    expect(await refund(NOW + LEASE_SECONDS)).toBe(false);
    const later = NOW + LEASE_SECONDS + 1;
    expect(await ledger.takeDelivery(claim, later)).toBe(true);
    expect(await refund(later + LEASE_SECONDS)).toBe(false);
    expect(await refund(later + LEASE_SECONDS + 1)).toBe(true);
    expect(await ledger.takeDelivery(claim, later + 100)).toBe(false);
  });

  test('behavior: a claim that was lost stores no response and releases nothing', async () => {
    const [one, two] = [await start('one'), await start('two')];
    const claim = claimOf();
    await one.claim(claim);
    const later = NOW + LEASE_SECONDS + 1;
    const again = { ...claim, owner: 'two', claimedAt: later, leaseUntil: later + LEASE_SECONDS };
    expect(await two.claim(again)).toMatchObject({ kind: 'claimed' });
    expect(await one.keepAnswer(claim, ANSWER, later)).toBe(false);
    await one.released(claim);
    expect(await two.find(claim)).toMatchObject({ state: 'claimed', owner: 'two' });
    expect(await two.keepAnswer(claim, ANSWER, later)).toBe(true);
    // A payment that may have been sent is released only by its on-chain status.
    await two.released(claim);
    await two.releaseStale(claim, later + 100);
    expect(await two.find(claim)).toMatchObject({ state: 'settling' });
  });

  test('behavior: one process takes over an unfinished payment', async () => {
    const [one, two, three] = [await start('one'), await start('two'), await start('three')];
    const claim = claimOf();
    await one.claim(claim);
    await one.keepAnswer(claim, ANSWER, NOW);
    expect(await two.takeOver(claim, NOW + 1)).toBe(false);
    const later = NOW + LEASE_SECONDS + 1;
    const took = await Promise.all([two.takeOver(claim, later), three.takeOver(claim, later)]);
    expect(took.sort()).toEqual([false, true]);
    await two.doubtful(claim, later);
    expect(await one.takeOver(claim, later)).toBe(true);
  });

  test('behavior: an identifier is one payment of one payer, until that is released', async () => {
    const ledger = await start();
    const identifier = 'a_name_of_its_own';
    const first = claimOf({ identifier });
    const second = claimOf({ identifier, payer: first.payer });
    expect(await ledger.claim(first)).toMatchObject({ kind: 'claimed' });
    expect(await ledger.claim(second)).toMatchObject({ kind: 'identifier-conflict' });
    expect(await ledger.claim(claimOf({ identifier }))).toMatchObject({ kind: 'claimed' });
    await ledger.released(first);
    expect(await ledger.claim(second)).toMatchObject({ kind: 'claimed' });
    expect(await ledger.claim(first)).toMatchObject({ kind: 'identifier-conflict' });
  });

  test('behavior: if a payment is found paid, but its identifier belongs to another one, all other values are recorded', async () => {
    const ledger = await start();
    const identifier = 'a_name_of_another';
    const first = claimOf({ identifier });
    const second = claimOf({ identifier, payer: first.payer });
    await ledger.claim(first);
    await ledger.released(first);
    await ledger.claim(second);
    const third = claimOf();
    await ledger.claim(third);
    const done = await Promise.all(
      [first, second, third].map((one) => ledger.settled(one, HASH, NOW)),
    );
    expect(done).toEqual([true, true, true]);
    expect(await ledger.find(first)).toMatchObject({ state: 'settled', identifier: null });
    expect(await ledger.find(second)).toMatchObject({ state: 'settled', identifier });
    expect(await ledger.findWithCalls(first)).toMatchObject({ settledCalls: 2 });
  });

  test('behavior: delivered before the settlement is recorded: not listed for refund', async () => {
    const ledger = await start();
    const claim = claimOf();
    await ledger.claim(claim);
    await ledger.keepAnswer(claim, ANSWER, NOW);
    await ledger.delivered(claim, HASH, NOW + 1);
    await ledger.settled(claim, HASH, NOW + 2);
    const listed = await paymentReports.getUndelivered(await open(), NOW + 10);
    expect(listed.some(({ nonce }) => nonce === claim.nonce)).toBe(false);
  });

  test('behavior: a served and unpaid payment is lost, in either order of writes', async () => {
    const ledger = await start();
    const [first, later, unserved] = [claimOf(), claimOf(), claimOf()];
    for (const claim of [first, later, unserved]) {
      await ledger.claim(claim);
      await ledger.keepAnswer(claim, ANSWER, NOW);
    }
    // The write of its settlement failed, and for a while so did that of the other's delivery.
    await ledger.delivered(first, HASH, NOW + 1);
    await ledger.doubtful(first, NOW + 2);
    expect(await ledger.unpaid(first, NOW + 200)).toBe(true);
    expect(await ledger.unpaid(later, NOW + 200)).toBe(false);
    await ledger.delivered(later, HASH, NOW + 1);
    expect(await ledger.unpaid(unserved, NOW + 200)).toBe(false);
    const lost = { state: 'lost', transaction: HASH, settledAt: NOW + 1, deliveredAt: NOW + 1 };
    expect(await ledger.find(first)).toMatchObject({ ...lost, answer: ANSWER });
    expect(await ledger.find(later)).toMatchObject(lost);
    expect(await ledger.find(unserved)).toMatchObject({ state: 'released', transaction: null });
    // It was never counted, so nothing is subtracted.
    for (const claim of [first, later]) {
      expect(await ledger.findWithCalls(claim)).toMatchObject({ settledCalls: 0 });
    }
    const listed = (await paymentReports.getLost(await open(), 100)).map(({ nonce }) => nonce);
    expect(listed).toEqual(expect.arrayContaining([first.nonce, later.nonce]));
    expect(listed).not.toContain(unserved.nonce);
  });

  test('behavior: only the owner of a claim can record that it was never sent', async () => {
    const [one, two] = [await start('one'), await start('two')];
    const [own, taken] = [claimOf(), claimOf()];
    for (const claim of [own, taken]) {
      await one.claim(claim);
      await one.keepAnswer(claim, ANSWER, NOW);
    }
    expect(await one.unsent(own)).toBe(true);
    expect(await one.find(own)).toMatchObject({ state: 'released', answer: null });
    expect(await two.takeOver(taken, NOW + LEASE_SECONDS + 1)).toBe(true);
    expect(await one.unsent(taken)).toBe(false);
    expect(await one.find(taken)).toMatchObject({ state: 'settling', answer: ANSWER });
  });

  test('behavior: a response is sent by one process at a time, until it has been sent', async () => {
    const [one, two] = [await start('one'), await start('two')];
    const claim = claimOf();
    await one.claim(claim);
    await one.keepAnswer(claim, ANSWER, NOW);
    await one.settled(claim, HASH, NOW);
    expect(await one.takeDelivery(claim, NOW + 1)).toBe(true);
    expect(await two.takeDelivery(claim, NOW + 2)).toBe(false);
    const later = NOW + 2 * LEASE_SECONDS;
    expect(await two.takeDelivery(claim, later)).toBe(true);
    expect(await one.takeDelivery(claim, later)).toBe(false);
    await two.delivered(claim, HASH, later);
    expect(await two.takeDelivery(claim, later)).toBe(false);
  });

  test('behavior: payments with another asset are not read with this one', async () => {
    const ledger = await start();
    const [ours, foreign, elsewhere] = [
      claimOf(),
      claimOf({ asset: '0x00000000000000000000000000000000000000ff' }),
      claimOf({ chainId: 1 }),
    ];
    for (const claim of [ours, foreign, elsewhere]) await ledger.claim(claim);
    const later = NOW + LEASE_SECONDS + 1;
    expect(await isOpen(ledger, ours, later)).toBe(true);
    expect(await isOpen(ledger, foreign, later)).toBe(false);
    expect(await isOpen(ledger, elsewhere, later)).toBe(false);
    // They stay on the list of open payments.
    const nonces = (await paymentReports.getOpen(await open())).map(({ nonce }) => nonce);
    expect(nonces).toEqual(expect.arrayContaining([foreign.nonce, elsewhere.nonce]));
  });

  test('behavior: responses are deleted when they expire, released payments an hour after their expiry', async () => {
    const ledger = await start();
    const [settled, released] = [claimOf(), claimOf()];
    for (const claim of [settled, released]) await ledger.claim(claim);
    await ledger.keepAnswer(settled, ANSWER, NOW);
    await ledger.settled(settled, HASH, NOW);
    await ledger.released(released);
    await ledger.dropOld(NOW + 99);
    expect(await ledger.find(settled)).toMatchObject({ answer: ANSWER });
    await ledger.dropOld(NOW + 101);
    expect(await ledger.find(settled)).toMatchObject({ state: 'settled', answer: null });
    expect(await ledger.find(released)).toMatchObject({ state: 'released' });
    await ledger.dropOld(NOW + 60 + 3_601);
    expect(await ledger.find(released)).toBeUndefined();
    expect(await payments.find(await open(), settled)).toMatchObject({ transaction: HASH });
  });
});

function random(bytes: number): Address {
  return `0x${randomBytes(bytes).toString('hex')}`;
}
