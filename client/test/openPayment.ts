import type { OpenPayment } from '../src/pay/store.ts';

/** Returns a reserved payment of 50 base units that is valid for 60 seconds, with the given fields. */
export function openPayment({
  id = 'a',
  url = `https://a.example/${id}`,
  reservedAt = 0,
  ...fields
}: Partial<OpenPayment>): OpenPayment {
  return {
    id,
    state: 'reserved',
    url,
    host: new URL(url).host,
    network: 'eip155:8453',
    asset: '0x1',
    payTo: '0x2',
    payer: '0x3',
    amount: '50',
    nonce: `0x${id}`,
    reservedAt,
    validBefore: reservedAt + 60,
    signatures: 1,
    ...fields,
  };
}
