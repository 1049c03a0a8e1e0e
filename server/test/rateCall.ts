/** Describes a rate that a single call returns. */
export const RATE_CALL = {
  kind: 'call',
  contract: '0x01',
  call: 'getRate()',
  data: '0x679aefce',
  answer: 0,
  decimals: 18,
  updatedAt: null,
  bad: null,
  paused: null,
  signed: false,
  inverse: false,
  maxAge: null,
} as const;
