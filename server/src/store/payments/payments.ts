import type { Hex } from '../../domain/hex.ts';
import { PAYMENT_STATE } from '../../domain/paymentLife.ts';
import { bytesColumn, intColumn, numericColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny, may, moves } from './lifeSql.ts';
import { oneOrMany } from './oneOrMany.ts';
import { countSettled } from './payers.ts';
import { KEY, KEY_TYPES, KEYS, keyColumns, keyParams, type PaymentKey } from './paymentKey.ts';
import {
  type Claim,
  COLUMNS,
  type KnownPayment,
  type PaymentAnswer,
  type PaymentRow,
  type RawPayment,
  toKnown,
  toRow,
} from './paymentRow.ts';

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** What the ledger knows of a payment and its payer. */
export interface Found extends PaymentKey {
  readonly row: KnownPayment | undefined;
  /** Settled calls of the payer, which determine its price. */
  readonly settledCalls: number;
}

const UNNEST_KEYS = 'unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]';

// A second authorization with the same identifier violates the unique index, as the same nonce violates the key: no row
// is returned.
const insert = oneOrMany(
  'payments.insert',
  [
    ...KEY_TYPES,
    ...['numeric', 'bytea', 'bigint', 'bigint', 'bytea', 'text', 'text', 'bytea', 'text'],
    ...['bigint', 'bigint', 'bigint', 'bytea', 'bigint', 'smallint'],
  ],
  (rows) => `insert into payment (chain_id, asset, payer, nonce, value, pay_to, valid_after,
     valid_before, signature, identifier, route, request, owner, lease_until, from_block, claimed_at, client, claimed_block, calls, state)
   select *, ${PAYMENT_STATE.claimed} from ${rows} as k
   on conflict do nothing
   returning chain_id as "chainId", asset, payer, nonce`,
);
// Together, because each request with a payment needs both: the settled calls determine its price.
const byKeys = oneOrMany(
  'payments.byKeys',
  KEY_TYPES,
  (rows) => `select ${COLUMNS}, coalesce(settled_calls, 0) as "settledCalls"
     from ${rows} as k (chain_id, asset, payer, nonce)
     left join payment using (chain_id, asset, payer, nonce) left join payer using (payer)`,
);
// Free again, or left by a dead process before any broadcast, which is what the state `claimed` means. A payment that
// was once sent is found on chain by its terms, starting at the block of the first broadcast, so another authorization
// with its nonce cannot replace it.
const claimAgain = statement(
  'payments.claimAgain',
  `update payment set value = $5, valid_after = $6, valid_before = $7, signature = $8, identifier = $9,
     owner = $10, lease_until = $11, from_block = case when sent then least(from_block, $12) else $12 end,
     claimed_block = case when sent then claimed_block else $17 end,
     claimed_at = $13, pay_to = $15, client = $16, final_at = null, ${moves('claimAgain')}
   where ${KEY} and request = $14 and ${may('claimAgain')} and (${isAny('free')} or lease_until < $13)
     and (not sent or (value = $5 and valid_after = $6 and valid_before = $7 and pay_to = $15))
     and not exists (select from payment o where o.payer = $3 and o.identifier = $9
       and o.nonce <> $4 and ${isAny('named', 'o')})
   returning sent, from_block as "fromBlock", claimed_block as "claimedBlock"`,
);
const keepAnswer = oneOrMany(
  'payments.keepAnswer',
  [...KEY_TYPES, 'text', 'smallint', 'text', 'bytea', 'bigint', 'bigint'],
  (rows) => `update payment p set ${moves('keepAnswer')}, sent = true, answer_status = k.status,
     answer_headers = k.headers, answer_body = k.body, answer_until = k.until, lease_until = k.lease
   from ${rows} as k (chain_id, asset, payer, nonce, owner, status, headers, body, until, lease)
   where ${KEYS} and p.owner = k.owner and ${may('keepAnswer', 'p')}
   returning p.chain_id as "chainId", p.asset, p.payer, p.nonce`,
);
// The payer's count changes only with the state, so a repeated report counts once. A released payment gives up its
// identifier.
const settle = oneOrMany(
  'payments.settle',
  [...KEY_TYPES, 'bytea', 'bigint'],
  (rows) => `with done as (
     update payment p set ${moves('settle')}, transaction_hash = k.hash, settled_at = k.at, final_at = null,
       identifier = case when ${isAny('free', 'p')} then null else p.identifier end
     from ${rows} as k (chain_id, asset, payer, nonce, hash, at)
     where ${KEYS} and ${may('settle', 'p')}
     returning p.chain_id, p.asset, p.payer, p.nonce, p.value, p.calls
   ), counted as (
     ${countSettled('done', '+')}
   )
   select chain_id as "chainId", asset, payer, nonce from done`,
);
export const NO_ANSWER = 'answer_status = null, answer_headers = null, answer_body = null';
const releaseClaims = statement(
  'payments.releaseClaims',
  `update payment p set ${moves('release')}, ${NO_ANSWER} from ${UNNEST_KEYS}) as k (chain_id, asset, payer, nonce)
   where ${KEYS} and ${may('release', 'p')} and p.owner = $5`,
);
const releaseStale = statement(
  'payments.releaseStale',
  `update payment set ${moves('release')}, ${NO_ANSWER} where ${KEY} and ${may('release')} and lease_until < $5`,
);
// A process can rule out a broadcast only for its own attempt: a later owner may have sent it.
const releaseUnsent = statement(
  'payments.releaseUnsent',
  `update payment set ${moves('releaseUnsent')}, ${NO_ANSWER}
   where ${KEY} and ${may('releaseUnsent')} and owner = $5 returning 1 as "done"`,
);
// Its response was sent, so it was settled once, whether or not that was recorded.
const SERVED = '(delivered_at is not null and transaction_hash is not null)';
const releaseUnpaid = statement(
  'payments.releaseUnpaid',
  `update payment set ${moves('releaseUnpaid')}, ${NO_ANSWER}
   where ${KEY} and ${may('releaseUnpaid')} and not ${SERVED}`,
);
const loseUnpaid = statement(
  'payments.loseUnpaid',
  `update payment set ${moves('loseUnpaid')}, lost_at = $5, settled_at = coalesce(settled_at, delivered_at)
   where ${KEY} and ${may('loseUnpaid')} and ${SERVED}
   returning 1 as "done"`,
);
const doubt = statement(
  'payments.doubt',
  `update payment set ${moves('doubt')}, lease_until = $5 where ${KEY} and ${may('doubt')}`,
);
// Also before the settlement is recorded, because that write may have failed after the charge. A payment that was
// released meanwhile, because it is no longer on chain, was served without payment.
const RELEASED = may('loseReleased', 'p');
const deliver = oneOrMany(
  'payments.deliver',
  [...KEY_TYPES, 'bytea', 'bigint'],
  (
    rows,
  ) => `update payment p set delivered_at = k.at, transaction_hash = coalesce(p.transaction_hash, k.hash),
     state = case when ${RELEASED} then ${PAYMENT_STATE.lost} else p.state end,
     lost_at = case when ${RELEASED} then k.at else p.lost_at end,
     settled_at = case when ${RELEASED} then k.at else p.settled_at end
   from ${rows} as k (chain_id, asset, payer, nonce, hash, at)
   where ${KEYS} and ${isAny('deliverable', 'p')} and p.delivered_at is null`,
);
const takeOver = statement(
  'payments.takeOver',
  `update payment set owner = $5, lease_until = $6 where ${KEY} and ${isAny('doubtful')} and lease_until < $7
   returning 1 as "done"`,
);
// The process that sends a paid response to a client without an identifier: only one, and only until it is sent.
const takeDelivery = statement(
  'payments.takeDelivery',
  `update payment set owner = $5, lease_until = $6
   where ${KEY} and ${isAny('answered')} and delivered_at is null and refunded_at is null
     and (owner = $5 or lease_until < $7)
   returning 1 as "done"`,
);
const renew = statement(
  'payments.renew',
  `update payment p set lease_until = $6 from ${UNNEST_KEYS}) as k (chain_id, asset, payer, nonce)
   where ${KEYS} and p.owner = $5 and ${isAny('open', 'p')} and p.lease_until < $6`,
);
const endLeases = statement(
  'payments.endLeases',
  `update payment set lease_until = 0
   where owner <> $1
     and (${isAny('open')} or (${isAny('charged')} and (delivered_at is null or final_at is null)))`,
);
const open = statement(
  'payments.open',
  `select ${COLUMNS} from payment where ${isAny('open')} and lease_until < $1
     and chain_id = coalesce($3, chain_id) and asset = coalesce($4, asset)
   order by lease_until, payer, nonce limit $2`,
);
const dropAnswers = statement(
  'payments.dropAnswers',
  `update payment set answer_headers = null, answer_body = null
   where answer_body is not null and answer_until < $1 and ${isAny('ended')}`,
);
export const payments = {
  /** Returns the keys that were not claimed before. */
  insert: (tx: Queryable, claims: readonly Claim[]) =>
    tx.query<PaymentKey>(insert.for(claims), [
      ...keyColumns(claims),
      numericColumn(claims.map(({ value }) => value)),
      bytesColumn(claims.map(({ payTo }) => payTo)),
      intColumn(claims.map(({ validAfter }) => validAfter)),
      intColumn(claims.map(({ validBefore }) => validBefore)),
      bytesColumn(claims.map(({ signature }) => signature)),
      textColumn(claims.map(({ identifier }) => identifier)),
      textColumn(claims.map(({ route }) => route)),
      bytesColumn(claims.map(({ request }) => request)),
      textColumn(claims.map(({ owner }) => owner)),
      intColumn(claims.map(({ leaseUntil }) => leaseUntil)),
      intColumn(claims.map(({ fromBlock }) => fromBlock)),
      intColumn(claims.map(({ claimedAt }) => claimedAt)),
      bytesColumn(claims.map(({ client }) => client)),
      intColumn(claims.map(({ claimedBlock }) => claimedBlock)),
      intColumn(claims.map(({ calls }) => calls)),
    ]),
  async find(db: Queryable, key: PaymentKey): Promise<KnownPayment | undefined> {
    return (await payments.getByKeys(db, [key]))[0]!.row;
  },
  /** Returns one entry for each key, in any order. */
  async getByKeys(db: Queryable, keys: readonly PaymentKey[]): Promise<Found[]> {
    const rows = await db.query<Nullable<RawPayment> & PaymentKey & Pick<Found, 'settledCalls'>>(
      byKeys.for(keys),
      keyColumns(keys),
    );
    return rows.map(({ settledCalls, ...raw }) => {
      const { chainId, asset, payer, nonce } = raw;
      const row = raw.state === null ? undefined : toKnown(raw as RawPayment);
      return { ...{ chainId, asset, payer, nonce }, row, settledCalls };
    });
  },
  /**
   * Claims a released payment, or one whose claimer is gone, for the request it was made for. Returns whether it may
   * have been sent before, and the block to search from. Undefined: it is not free.
   */
  async claimAgain(
    tx: Queryable,
    claim: Claim,
  ): Promise<Pick<PaymentRow, 'sent' | 'fromBlock' | 'claimedBlock'> | undefined> {
    const { value, validAfter, validBefore, signature, identifier, owner, leaseUntil } = claim;
    const [row] = await tx.query<Pick<PaymentRow, 'sent' | 'fromBlock' | 'claimedBlock'>>(
      claimAgain,
      [
        ...keyParams(claim),
        value,
        validAfter,
        validBefore,
        bytes(signature),
        identifier,
        owner,
        leaseUntil,
        claim.fromBlock,
        claim.claimedAt,
        bytes(claim.request),
        bytes(claim.payTo),
        claim.client === null ? null : bytes(claim.client),
        claim.claimedBlock,
      ],
    );
    return row;
  },
  /** Returns the keys that their owner still claims: only these may be broadcast. */
  keepAnswers: (
    tx: Queryable,
    answers: readonly (PaymentKey & {
      readonly owner: string;
      readonly answer: PaymentAnswer;
      readonly answerUntil: number;
      readonly leaseUntil: number;
    })[],
  ) =>
    tx.query<PaymentKey>(keepAnswer.for(answers), [
      ...keyColumns(answers),
      textColumn(answers.map(({ owner }) => owner)),
      intColumn(answers.map(({ answer }) => answer.status)),
      textColumn(answers.map(({ answer }) => JSON.stringify(answer.headers))),
      bytesColumn(answers.map(({ answer }) => `0x${Buffer.from(answer.body).toString('hex')}`)),
      intColumn(answers.map(({ answerUntil }) => answerUntil)),
      intColumn(answers.map(({ leaseUntil }) => leaseUntil)),
    ]),
  /** From any state except settled, because the chain is authoritative. Returns those that were not settled before. */
  settle: (
    tx: Queryable,
    settled: readonly (PaymentKey & { readonly transaction: Hex; readonly at: number })[],
  ) =>
    tx.query<PaymentKey>(settle.for(settled), [
      ...keyColumns(settled),
      bytesColumn(settled.map(({ transaction }) => transaction)),
      intColumn(settled.map(({ at }) => at)),
    ]),
  /** Only those that this owner still claims: another process may have claimed them since. */
  releaseClaims: (tx: Queryable, keys: readonly PaymentKey[], owner: string) =>
    tx.query(releaseClaims, [...keyColumns(keys), owner]),
  releaseStale: (tx: Queryable, key: PaymentKey, now: number) =>
    tx.query(releaseStale, [...keyParams(key), now]),
  /** Returns whether it still belonged to this owner alone. */
  async releaseUnsent(tx: Queryable, key: PaymentKey, owner: string): Promise<boolean> {
    return (await tx.query(releaseUnsent, [...keyParams(key), owner])).length > 0;
  },
  releaseUnpaid: (tx: Queryable, key: PaymentKey) => tx.query(releaseUnpaid, keyParams(key)),
  /** Returns whether it was served before it was found unpaid. */
  async loseUnpaid(tx: Queryable, key: PaymentKey, at: number): Promise<boolean> {
    return (await tx.query(loseUnpaid, [...keyParams(key), at])).length > 0;
  },
  doubt: (tx: Queryable, key: PaymentKey, leaseUntil: number) =>
    tx.query(doubt, [...keyParams(key), leaseUntil]),
  deliver: (
    tx: Queryable,
    delivered: readonly (PaymentKey & { readonly transaction: Hex; readonly at: number })[],
  ) =>
    tx.query(deliver.for(delivered), [
      ...keyColumns(delivered),
      bytesColumn(delivered.map(({ transaction }) => transaction)),
      intColumn(delivered.map(({ at }) => at)),
    ]),
  /** Takes over an open payment whose owner is gone. */
  async takeOver(
    tx: Queryable,
    key: PaymentKey,
    by: { readonly owner: string; readonly leaseUntil: number; readonly now: number },
  ): Promise<boolean> {
    const rows = await tx.query(takeOver, [...keyParams(key), by.owner, by.leaseUntil, by.now]);
    return rows.length > 0;
  },
  /**
   * Returns whether this process may send a paid response: it was not sent, and no other process is about to send it.
   */
  async takeDelivery(
    tx: Queryable,
    key: PaymentKey,
    by: { readonly owner: string; readonly leaseUntil: number; readonly now: number },
  ): Promise<boolean> {
    const rows = await tx.query(takeDelivery, [...keyParams(key), by.owner, by.leaseUntil, by.now]);
    return rows.length > 0;
  },
  renew: (tx: Queryable, keys: readonly PaymentKey[], owner: string, leaseUntil: number) =>
    tx.query(renew, [...keyColumns(keys), owner, leaseUntil]),
  /** Only when no other process can be alive: takes over every remaining claim. */
  endLeases: (tx: Queryable, owner: string) => tx.query(endLeases, [owner]),
  /** Limited to one asset if given, because other payments cannot be checked on its contract. */
  getOpen: async (
    db: Queryable,
    of: Pick<PaymentKey, 'chainId' | 'asset'> | undefined,
    now: number,
    limit: number,
  ) => {
    const asset = of === undefined ? null : bytes(of.asset);
    return (await db.query<RawPayment>(open, [now, limit, of?.chainId ?? null, asset])).map(toRow);
  },
  dropAnswers: (tx: Queryable, before: number) => tx.query(dropAnswers, [before]),
};
