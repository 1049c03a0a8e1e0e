import { PAYMENT_STATE } from '../../domain/paymentLife.ts';
import { CHAIN_ID, column, nullable } from '../exports/columns.ts';
import { pageStatement, type StoredTable } from '../exports/exportTable.ts';

const STATES = Object.keys(PAYMENT_STATE);
const TIMES = [
  ['claimed_at', 'When it was claimed'],
  ['settled_at', 'When it was settled'],
  ['delivered_at', 'When the response was delivered'],
  ['final_at', 'When its block was final'],
  ['refunded_at', 'When its refund was recorded'],
] as const;

/** Belongs to no family. Signatures and responses are left out. */
export const exportPayments: StoredTable = {
  name: 'payments',
  description: 'Payments in the ledger; only with `assay export`',
  isPrivate: true,
  columns: [
    column('ledger', 'name', 'Always `payments`'),
    CHAIN_ID,
    column('asset', 'hex', 'Token'),
    column('payer', 'hex', 'Payer'),
    column('nonce', 'hex', 'Nonce of the authorization'),
    column('value', 'amount', 'Amount in base units of the token'),
    column('pay_to', 'hex', 'Recipient'),
    nullable('route', 'text', 'Name of the price; null if the sale is unknown'),
    column('calls', 'integer', 'Calls that it pays for'),
    column('state', 'name', STATES.join(', ')),
    nullable('transaction_hash', 'hex', 'Settlement; null before it'),
    ...TIMES.map(([name, text]) => nullable(name, 'integer', `${text}, Unix seconds`)),
  ],
  keyLength: 5,
  hasBlocks: false,
  start: [-1, '0x', '0x', '0x'],
  page: pageStatement({
    name: 'payments',
    values: [
      ['r.chain_id', 'integer'],
      ['r.asset', 'hex'],
      ['r.payer', 'hex'],
      ['r.nonce', 'hex'],
      ['r.value', 'amount'],
      ['r.pay_to', 'hex'],
      ['r.route', 'text', true],
      ['r.calls', 'integer'],
      [`(array[${STATES.map((name) => `'${name}'`)}])[r.state]`, 'name'],
      ['r.transaction_hash', 'hex', true],
      ...TIMES.map(([name]) => [`r.${name}`, 'integer', true] as const),
    ],
    key: ['p.chain_id', 'p.asset', 'p.payer', 'p.nonce'],
    familyId: '0::smallint',
    rows: 'p.* from payment p',
  }),
};
