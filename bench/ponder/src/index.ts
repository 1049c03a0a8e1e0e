import { type Context, type Event, ponder } from 'ponder:registry';
import { account, event as eventTable } from 'ponder:schema';

interface Row {
  readonly name: string;
  readonly wallet: `0x${string}`;
  readonly assets?: bigint;
  readonly shares?: bigint;
  readonly instant?: boolean;
}

interface Change {
  readonly wallet: `0x${string}`;
  readonly shares?: bigint;
  readonly deposited?: bigint;
  readonly withdrawn?: bigint;
}

const ZERO = '0x0000000000000000000000000000000000000000';
const VAULT = process.env.BENCH_VAULT?.toLowerCase();

ponder.on('Vault:Transfer', async ({ event, context }) => {
  const { from, to, value } = event.args;
  await insert(context, event, { name: 'Transfer', wallet: to, shares: value });
  // Other events in the same transaction account for minted, burned, and escrowed shares.
  if ([from, to].some((side) => side === ZERO || side.toLowerCase() === VAULT)) return;
  await upsert(context, { wallet: from, shares: -value });
  await upsert(context, { wallet: to, shares: value });
});

ponder.on('Vault:Deposit', async ({ event, context }) => {
  const { owner, assets, shares } = event.args;
  await insert(context, event, { name: 'Deposit', wallet: owner, assets, shares });
  await upsert(context, { wallet: owner, shares, deposited: assets });
});

ponder.on('Vault:Withdraw', async ({ event, context }) => {
  const { receiver, assets, shares } = event.args;
  await insert(context, event, { name: 'Withdraw', wallet: receiver, assets, shares });
  await upsert(context, { wallet: receiver, shares: -shares, withdrawn: assets });
});

ponder.on('Vault:RedeemRequest', async ({ event, context }) => {
  const { receiver, assets, shares, instant } = event.args;
  await insert(context, event, {
    name: 'RedeemRequest',
    wallet: receiver,
    assets,
    shares,
    instant,
  });
  await upsert(context, { wallet: receiver });
});

ponder.on('Vault:RequestFulfilled', async ({ event, context }) => {
  const { receiver, assets, shares } = event.args;
  await insert(context, event, { name: 'RequestFulfilled', wallet: receiver, assets, shares });
  await upsert(context, { wallet: receiver });
});

ponder.on('Vault:RequestCancelled', async ({ event, context }) => {
  const { receiver, assets, shares } = event.args;
  await insert(context, event, { name: 'RequestCancelled', wallet: receiver, assets, shares });
  await upsert(context, { wallet: receiver });
});

ponder.on('Oracle:SharePriceUpdated', async ({ event, context }) => {
  const { vault, price } = event.args;
  await insert(context, event, { name: 'SharePriceUpdated', wallet: vault, assets: price });
});

async function insert(context: Context, event: Event, row: Row): Promise<void> {
  await context.db.insert(eventTable).values({
    block: event.block.number,
    logIndex: event.log.logIndex,
    time: event.block.timestamp,
    name: row.name,
    wallet: row.wallet,
    assets: row.assets ?? 0n,
    shares: row.shares ?? 0n,
    instant: row.instant ?? false,
    transaction: event.transaction.hash,
  });
}

async function upsert(context: Context, change: Change): Promise<void> {
  const { wallet, shares = 0n, deposited = 0n, withdrawn = 0n } = change;
  await context.db
    .insert(account)
    .values({ wallet, shares, deposited, withdrawn, events: 1 })
    .onConflictDoUpdate((row) => ({
      shares: row.shares + shares,
      deposited: row.deposited + deposited,
      withdrawn: row.withdrawn + withdrawn,
      events: row.events + 1,
    }));
}
