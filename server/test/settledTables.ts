/** Tables whose rows depend on the chains alone once those are read to their heads. */
export const SETTLED = {
  tables: [
    ...['history', 'movement', 'position', 'share_price', 'pool', 'price'],
    ...['tick', 'tick_rollup'],
  ],
};
