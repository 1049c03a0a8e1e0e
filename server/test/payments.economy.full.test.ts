import { expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { eventTopic } from '../src/chain/abi.ts';
import type { Hex } from '../src/domain/hex.ts';
import { hexQuantity } from '../src/domain/hexQuantity.ts';
import type { SignedAuthorization } from '../src/payments/authorization/payment.ts';
import { pause } from '../src/runtime/pause.ts';
import type { PaymentRow } from '../src/store/payments/paymentRow.ts';
import { paymentReports } from '../src/store/payments/reports.ts';
import { createRandom } from './activity.ts';
import { createCommonNode } from './commonNode.ts';
import { useDatabase } from './database.ts';
import { type Attack, hireAttackers } from './economy/attackers.ts';
import { buy, expectServedOnce, type Purchase } from './economy/honest.ts';
import type { Market } from './economy/market.ts';
import { shake } from './economy/weather.ts';
import { createFaultyRpc } from './faultyRpc.ts';
import { createHostile, type Hostile } from './hostile/hostile.ts';
import { GAS } from './paidServer.ts';
import { openPaidTestServer } from './paidTestServer.ts';
import { useResource, useTokenChain } from './paidTests.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 3009);
/** Purchases of honest payers: an hour's worth, one every two seconds, compressed into minutes. */
const PAYERS = LONG ? 20 : 4;
const PURCHASES = LONG ? 90 : 2;
/** Rounds of each attacker in that time. */
const ROUNDS = LONG ? 60 : 6;
/** The limit of gas lost to payers with code, which must never be exceeded. */
const LOST_PER_HOUR = 600_000n;
/** The limit for plain keys, above which a new key may have only one settlement in flight. */
const PLAIN_LOST_PER_HOUR = 150_000n;
/** Gas of a failed settlement for a plain key; 58,791 units were measured. */
const FAILURE = 65_000n;
const MAX_ROUNDS = Math.max(ROUNDS, 30);
const FINAL_AFTER = 8;
const USED = eventTopic('AuthorizationUsed(address,bytes32)');

const chain = useTokenChain({ payers: PAYERS, prague: true });
const common = useResource(() => createCommonNode(chain));
const node = useResource(() => createFaultyRpc({ target: common.url }));
const { database } = useDatabase('postgres');
let hostile: Hostile;
const meanwhile: Market['meanwhile'] = new Map();
const shop = useResource(async () => {
  hostile = await createHostile(chain);
  const { controls, rpc, tip } = chain.chain;
  controls.set('eth_getBlockByNumber', ([block, full]) =>
    rpc('eth_getBlockByNumber', [
      block === 'finalized' ? hexQuantity(tip.number - FINAL_AFTER) : block,
      full,
    ]),
  );
  return openPaidTestServer({
    store: await database().open(),
    chain,
    rpcUrl: node.url,
    answer: async ({ path }) => {
      await meanwhile.get(path.nodeId!)?.();
      return path;
    },
    rateLimit: { perSecond: 0, burst: 0, loopback: false, trustedProxies: ['127.0.0.1'] },
    payments: {
      rateLimit: { perSecond: 10, burst: 20 },
      gas: {
        ...GAS,
        lostPerHour: LOST_PER_HOUR,
        plainLostPerHour: PLAIN_LOST_PER_HOUR,
        waitSeconds: 1,
        maxWaitSeconds: 30,
      },
    },
  });
});

function openMarket(): Market {
  const signed = new Map<Hex, SignedAuthorization>();
  const remember = (payment: SignedAuthorization) => {
    signed.set(payment.authorization.nonce, payment);
    return payment;
  };
  return {
    ...{ chain, shop, node, hostile, signed, remember, meanwhile },
    name: 'economy',
    struck: {},
    random: createRandom(SEED),
    answered: new Set(),
    sign: (fields) => remember(chain.pay(fields)),
  };
}

/** Returns the nonces of all authorizations that the chain has used. */
async function usedSince(block: number): Promise<Set<string>> {
  const logs = await chain.chain.rpc<{ topics: Hex[] }[]>('eth_getLogs', [
    {
      address: chain.terms.asset,
      topics: [USED],
      fromBlock: hexQuantity(block),
      toBlock: 'latest',
    },
  ]);
  return new Set(logs.map(({ topics }) => topics[2]!));
}

/** Runs all rounds, and more until the attack was carried out, because faults can prevent it. */
async function attackUntil(hasStruck: () => boolean, attack: Attack): Promise<void> {
  for (let round = 0; round < ROUNDS || (!hasStruck() && round < MAX_ROUNDS); round++) {
    await attack(round);
    await pause(100);
  }
}

/**
 * Mines until the ledger and the chain agree on every payment that honest payers signed and on every response that
 * attackers got; in the long run, until no payment is open.
 */
async function comeToRest(
  purchases: readonly Purchase[],
  market: Market,
  first: number,
): Promise<void> {
  const store = await database().open();
  const signed = [
    ...purchases.flatMap((purchase) => purchase.signed),
    ...[...market.answered].map((nonce) => market.signed.get(nonce)!),
  ];
  await expect
    .poll(
      async () => {
        await chain.mine();
        await shop.payments.finality.run();
        const used = await usedSince(first);
        const open = await Promise.all(
          signed.map(async (one) => isOpen(await shop.row(one), used.has(one.authorization.nonce))),
        );
        const { open: listed } = await paymentReports.getCounts(store);
        return open.filter(Boolean).length + (LONG ? listed : 0);
      },
      { timeout: 200_000, interval: 1_000 },
    )
    .toBe(0);
}

function isOpen(row: PaymentRow | undefined, isUsed: boolean): boolean {
  if (row === undefined || row.state === 'released' || row.state === 'lost') return false;
  return !(row.state === 'settled' && row.blockNumber !== null && isUsed);
}

test(
  `an hour of honest payers, attackers, faults, and reorgs (seed ${SEED})`,
  async () => {
    const market = openMarket();
    const attackers = await hireAttackers(market);
    const first = chain.chain.tip.number + 1;
    const before = await chain.balance(chain.terms.payTo);
    let over = false;
    const weather = shake(market, () => over);
    const attacks = Promise.all(
      Object.entries(attackers).map(([name, attack]) =>
        attackUntil(() => (market.struck[name] ?? 0) > 0, attack),
      ),
    );
    const bought = Promise.all(
      chain.payers.map(async (wallet, i) => {
        const purchases: Purchase[] = [];
        for (let n = 0; n < PURCHASES; n++) {
          const options = { id: `${i}_${n}`, address: `198.51.100.${i}`, identified: n % 2 === 0 };
          purchases.push(await buy(market, wallet, options));
        }
        return purchases;
      }),
    );
    const [lists] = await Promise.all([bought, attacks]);
    const purchases = lists.flat();
    over = true;
    const { reorgs, faults } = await weather;
    await comeToRest(purchases, market, first);
    // Nothing is sent from here on.
    await shop.close();

    const used = await usedSince(first);
    for (const purchase of purchases) expectServedOnce(purchase, used);
    // Every other client with a response has paid for it, or a reorg reverted its payment and the ledger reports that.
    for (const nonce of market.answered) {
      if (used.has(nonce)) continue;
      expect(await shop.row(market.signed.get(nonce)!)).toMatchObject({ state: 'lost' });
    }
    const charged = [...market.signed.values()].filter((one) => used.has(one.authorization.nonce));
    expect((await chain.balance(chain.terms.payTo)) - before).toBe(
      charged.reduce((sum, { authorization }) => sum + authorization.value, 0n),
    );
    const waited = purchases.flatMap(({ path, said }) =>
      said.filter((one) => one.startsWith('429')).map((one) => `${path} ${one}`),
    );
    expect(waited).toEqual([]);
    const { walletsLostInHour: byWallets, plainLostInHour: byPlain } = shop.payments.gas()!;
    console.info(
      `${purchases.length} purchases, ${charged.length} charges, ${market.answered.size} answers of attackers, ` +
        `${faults} faults, ${reorgs} reorgs; gas lost: ${byWallets} by payers with code, ${byPlain} ` +
        `by plain keys; struck: ${JSON.stringify(market.struck)}`,
    );
    // Every attack was carried out. payments.attacks.full.test.ts shows the effect on a seller without protection.
    expect(Object.keys(market.struck).sort()).toEqual(Object.keys(attackers).sort());
    expect(byWallets).toBeLessThanOrEqual(LOST_PER_HOUR);
    // The settlements in flight when the limit was reached, and then one for each successful attack.
    const { drains = 0, cancels = 0, frontRuns = 0 } = market.struck;
    const failures = BigInt(4 + drains + cancels + frontRuns);
    expect(byPlain).toBeLessThanOrEqual(PLAIN_LOST_PER_HOUR + failures * FAILURE);
  },
  LONG ? 1_800_000 : 300_000,
);
