/** Pages of any origin may pay: the stock browser client sends all three of these, and reads the two answers. */
export const PAID_CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After',
} as const;

export const PAID_PREFLIGHT_HEADERS =
  'PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers, Content-Type';
