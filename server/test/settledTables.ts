/** Tables whose rows depend only on the chains once these are indexed to their heads. */
export const SETTLED = {
  tables: [
    ...['history', 'movement', 'position', 'share_price', 'pool', 'price'],
    ...['tick', 'tick_rollup'],
  ],
};
