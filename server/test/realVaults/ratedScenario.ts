import { type AbiEvent, toEventSelector } from 'viem';
import { type Address, type Hex, ZERO_ADDRESS } from '../../src/domain/hex.ts';
import { createRandom } from '../activity.ts';
import { createBook, type HistoryEntry, type Move } from './book.ts';
import { type Contract, createLocalChain, type Receipt } from './chain.ts';
import { npmCompiled } from './contracts.ts';
import { account, createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import type { Family, RatedWords } from './scenario.ts';
import type { Played } from './testScenario.ts';

const DAYS = 3;
const UNIT = 10n ** 18n;
const USD = 10n ** 6n;
const RICH = 10n ** 30n;
const TREASURY = account(0x7ea5n);
/** Represents a currency, which has no address. */
const NO_TOKEN: Address = `0x${'00'.repeat(19)}01`;
const MINTED = 'Minted(address indexed to, uint256 amount, uint256 paid, uint256 time)';

/** Plays three days of four share tokens with a rate, each described only in the configuration. */
export async function playRated(): Promise<Played> {
  const chain = await createLocalChain({ chainId: 31_620, startTime: startOfPlay(DAYS) });
  const book = createBook();
  const random = createRandom(31);
  const wallets = createWallets(6, 31);
  const deploy = async (name: string, args: readonly unknown[]) =>
    chain.deploy(OWNER, await npmCompiled(name), args);
  const asset = await deploy('Token', ['ASSET', 18]);
  const dollar = await deploy('Token', ['USDC', 6]);
  const stake = await deploy('RatedStake', [asset.address]);
  const desk = await deploy('RatedDesk', [stake.address]);
  const wrap = await deploy('RatedWrap', [asset.address]);
  const fund = await deploy('RatedFund', [dollar.address]);
  const pool = await deploy('RatedPool', [asset.address]);
  const queue = await deploy('RatedPoolQueue', [pool.address]);
  const startBlock = chain.tip.number;
  for (const wallet of wallets) {
    await chain.send(OWNER, asset, 'mint', [wallet, RICH]);
    await chain.send(OWNER, dollar, 'mint', [wallet, RICH]);
    await chain.send(wallet, stake, 'approve', [desk.address, RICH * RICH]);
  }
  const read = <T = bigint>(to: Contract, fn: string, args: readonly unknown[], block: number) =>
    chain.read<T>(to, fn, args, block);
  /** Returns the open requests by number; a reorg removes those of its blocks. */
  const deskIds = async (block = chain.tip.number) => numbered(desk, 'Requested', block);
  const poolIds = async (block = chain.tip.number) => numbered(queue, 'WithdrawalRequested', block);

  const families: Family[] = [
    family('stake', stake, asset.address, {
      custody: [desk.address],
      words: {
        ...plainWords(stake),
        assetDecimals: 18,
        ratio: async (block) => ({ assets: await read(stake, 'rate', [], block), shares: UNIT }),
        async queue(wallet, block) {
          const open = await requestsOf(desk, await deskIds(block), wallet, block);
          return { shares: sum(open, 1), requestedAssets: sum(open, 2) };
        },
      },
      rated: {
        contracts: { desk: desk.address },
        rate: { contract: 'share', call: 'getRate() returns (uint256)', decimals: 18 },
        unit: { token: asset.address },
        flows: [
          { action: 'deposit', event: MINTED, owner: 'to', shares: 'amount', assets: 'paid' },
          {
            action: 'exit',
            event: 'Burned(address indexed from, uint256 amount, uint256 paid, uint256 time)',
            ...{ owner: 'from', shares: 'amount', assets: 'paid' },
          },
          {
            ...{ action: 'request', contract: 'desk' },
            event:
              'Requested(bytes32 indexed id, address indexed user, uint256 shares, uint256 assets)',
            ...{ id: 'id', owner: 'user', shares: 'shares', assets: 'assets' },
          },
          {
            ...{ action: 'cancel', contract: 'desk', id: 'id' },
            event: 'Cancelled(bytes32 indexed id, address indexed user, uint256 time)',
          },
          {
            ...{ action: 'claim', contract: 'desk', id: 'id' },
            event: 'Solved(bytes32 indexed id, address indexed user, uint256 time)',
          },
        ],
        custody: ['desk'],
        queue: { contract: 'desk', call: 'pendingOf(address) returns (uint256)' },
      },
    }),
    family('wrap', wrap, asset.address, {
      words: {
        ...plainWords(wrap),
        assetDecimals: 18,
        ratio: async (block) => ({ assets: UNIT, shares: await read(wrap, 'priceD18', [], block) }),
      },
      rated: {
        ledger: { mints: 'bought' },
        rate: {
          contract: 'share',
          call: 'getReport(address) returns (uint224 price, uint32 time, bool suspicious)',
          args: [asset.address],
          ...{ decimals: 18, inverse: true, updatedAt: 'time', bad: 'suspicious', maxAge: 60 },
        },
        unit: { token: asset.address },
      },
    }),
    family('fund', fund, NO_TOKEN, {
      words: {
        ...plainWords(fund),
        assetDecimals: 6,
        ratio: async (block) => ({ assets: await read(fund, 'price', [], block), shares: USD }),
      },
      rated: {
        rate: {
          contract: 'share',
          call: 'getChainlinkPrice() returns (bool bad, uint256 updatedAt, uint256 price)',
          ...{ answer: 'price', updatedAt: 'updatedAt', bad: 'bad', maxAge: 5 * 86_400 },
          decimals: 6,
        },
        unit: { currency: 'USD', decimals: 6 },
        flows: [
          {
            action: 'deposit',
            event:
              'Subscribed(address indexed subscriber, address indexed to, address stablecoin, uint256 paid)',
            ...{ owner: 'to', assets: 'paid' },
          },
          {
            action: 'exit',
            event: 'OffchainRedeem(address indexed burner, address indexed src, uint256 amount)',
            ...{ owner: 'src', shares: 'amount' },
          },
        ],
      },
    }),
    family('pool', pool, NO_TOKEN, {
      custody: [queue.address],
      words: {
        assetDecimals: 18,
        moves: toEventSelector('TransferShares(address,address,uint256)'),
        ratio: async (block) => ({
          assets: await read(pool, 'getPooledEthByShares', [10n ** 33n], block),
          shares: 10n ** 33n,
        }),
        supply: (block) => read(pool, 'getTotalShares', [], block),
        balance: (wallet, block) => read(pool, 'sharesOf', [wallet], block),
        async queue(wallet, block) {
          const ids = await poolIds(block);
          const last = await read(queue, 'lastFinalized', [], block);
          const own = async (from: bigint, to: bigint) => {
            const some = ids.filter((id) => BigInt(id) > from && BigInt(id) <= to);
            return requestsOf(queue, some, wallet, block);
          };
          const open = await own(last, RICH);
          const ready = await own(0n, last);
          return {
            ...{ shares: sum(open, 2), requestedAssets: sum(open, 1) },
            ...{ claimableShares: sum(ready, 2), claimableAssets: sum(ready, 3) },
          };
        },
      },
      rated: {
        contracts: { queue: queue.address },
        ledger: {
          event: 'TransferShares(address indexed from, address indexed to, uint256 shares)',
          supply: 'getTotalShares() returns (uint256)',
          balance: 'sharesOf(address) returns (uint256)',
        },
        rate: {
          contract: 'share',
          call: 'getPooledEthByShares(uint256) returns (uint256)',
          ...{ args: [String(10n ** 33n)], decimals: 33 },
        },
        unit: { currency: 'ETH', decimals: 18 },
        flows: [
          {
            action: 'deposit',
            event: 'Submitted(address indexed sender, uint256 amount, address referral)',
            ...{ owner: 'sender', assets: 'amount' },
          },
          {
            ...{ action: 'request', contract: 'queue' },
            event:
              'WithdrawalRequested(uint256 indexed id, address indexed requestor, address indexed owner, uint256 amount, uint256 shares)',
            ...{ id: 'id', owner: 'requestor', receiver: 'owner' },
            ...{ shares: 'shares', assets: 'amount' },
          },
          {
            ...{ action: 'settle', contract: 'queue', idFrom: 'from', idTo: 'to' },
            event:
              'WithdrawalsFinalized(uint256 indexed from, uint256 indexed to, uint256 locked, uint256 burned, uint256 time)',
          },
          {
            ...{ action: 'claim', contract: 'queue' },
            event:
              'WithdrawalClaimed(uint256 indexed id, address indexed owner, address indexed receiver, uint256 amount)',
            ...{ id: 'id', owner: 'owner', receiver: 'receiver', assets: 'amount' },
          },
        ],
        custody: ['queue'],
        queue: {
          contract: 'queue',
          call: 'requests(uint256) returns (address owner, uint256 amount, uint256 shares, uint256 pays)',
          answer: 'shares',
        },
      },
    }),
  ];

  const end = startOfPlay(DAYS) + DAYS * 86_400;
  for (const start of [deposit, wrapUp, subscribe, submit]) {
    for (const wallet of wallets.slice(0, 4)) await start(wallet, 100n);
  }
  while (chain.tip.time < end) {
    chain.advance(600 * (1 + random.int(12)));
    await play();
  }
  return {
    families,
    book,
    async goOn() {
      for (let i = 0; i < 5; i++) {
        chain.advance(60 * random.int(12));
        await play();
      }
    },
  };

  async function play(): Promise<void> {
    const wallet = random.pick(wallets);
    const acts = [
      ...[deposit, wrapUp, subscribe, submit, burn, unwrap, redeem, transfer, change, change],
      ...[ask, ask, cancel, solve, askPool, askPool, finalize, claim, claim],
    ];
    await random.pick(acts)(wallet, BigInt(1 + random.int(50)));
  }

  async function deposit(wallet: Address, amount: bigint): Promise<void> {
    const paid = amount * UNIT + 7n;
    const receipt = await chain.send(wallet, stake, 'mint', [paid]);
    await enter('stake', receipt, wallet, paid);
  }

  async function burn(wallet: Address): Promise<void> {
    const shares = (await balance('stake', wallet)) / 5n;
    if (shares === 0n) return;
    const receipt = await chain.send(wallet, stake, 'burn', [shares]);
    await leave('stake', receipt, wallet, shares, await worth('stake', shares, receipt.block));
  }

  async function wrapUp(wallet: Address, amount: bigint): Promise<void> {
    const receipt = await chain.send(wallet, wrap, 'wrap', [amount * UNIT + 1n]);
    const shares = await gained('wrap', receipt, wallet);
    // No event names the payment, so it is the value of the shares.
    await enter('wrap', receipt, wallet, await worth('wrap', shares, receipt.block));
  }

  async function unwrap(wallet: Address): Promise<void> {
    const shares = (await balance('wrap', wallet)) / 3n;
    if (shares === 0n) return;
    const receipt = await chain.send(wallet, wrap, 'unwrap', [shares]);
    await leave('wrap', receipt, wallet, shares, await worth('wrap', shares, receipt.block));
  }

  async function subscribe(wallet: Address, amount: bigint): Promise<void> {
    const to = random.pick(wallets);
    const paid = amount * USD + 13n;
    const receipt = await chain.send(wallet, fund, 'subscribe', [to, paid]);
    await enter('fund', receipt, to, paid);
  }

  async function redeem(wallet: Address): Promise<void> {
    const shares = (await balance('fund', wallet)) / 4n;
    if (shares === 0n) return;
    const receipt = await chain.send(wallet, fund, 'offchainRedeem', [shares]);
    await leave('fund', receipt, wallet, shares, await worth('fund', shares, receipt.block));
  }

  async function submit(wallet: Address, amount: bigint): Promise<void> {
    const paid = amount * UNIT + 3n;
    const receipt = await chain.send(wallet, pool, 'submit', [paid]);
    await enter('pool', receipt, wallet, paid);
  }

  async function transfer(wallet: Address): Promise<void> {
    const slug = random.pick(['stake', 'wrap', 'fund', 'pool']);
    const to = random.pick(wallets);
    const shares = (await balance(slug, wallet)) / 6n;
    if (shares === 0n || to === wallet) return;
    const fn = slug === 'pool' ? 'transferShares' : 'transfer';
    const receipt = await chain.send(wallet, contractOf(slug), fn, [to, shares]);
    move(slug, receipt, wallet, 'sent', shares, 0n);
    move(slug, receipt, to, 'received', shares, await worth(slug, shares, receipt.block));
  }

  /** Raises and lowers rates, and takes fees in shares. */
  async function change(_: Address, amount: bigint): Promise<void> {
    const part = amount * (random.int(3) === 0 ? -1n : 1n);
    const grown = (value: bigint) => value + (value * part) / 10_000n + 1n;
    const now = chain.tip.number;
    const slug = random.pick(['stake', 'fee', 'wrap', 'fund', 'pool']);
    if (slug === 'stake') {
      const rate = grown(await read(stake, 'rate', [], now));
      await chain.send(OWNER, stake, 'set', [rate, false]);
    } else if (slug === 'fee') {
      const receipt = await chain.send(OWNER, stake, 'takeFee', [TREASURY, amount]);
      move('stake', receipt, TREASURY, 'minted', amount, 0n);
    } else if (slug === 'wrap') {
      await chain.send(OWNER, wrap, 'set', [grown(await read(wrap, 'priceD18', [], now))]);
    } else if (slug === 'fund') {
      await chain.send(OWNER, fund, 'set', [grown(await read(fund, 'price', [], now)), false]);
    } else {
      const pooled = grown(await read(pool, 'pooled', [], now));
      const receipt = await chain.send(OWNER, pool, 'rebase', [pooled, TREASURY, amount]);
      move('pool', receipt, TREASURY, 'minted', amount, 0n);
    }
  }

  async function ask(wallet: Address): Promise<void> {
    const shares = (await balance('stake', wallet)) / 4n;
    if (shares === 0n) return;
    const receipt = await chain.send(wallet, desk, 'request', [shares]);
    note('stake', receipt, 'redeem', wallet, await worth('stake', shares, receipt.block), shares);
  }

  async function cancel(): Promise<void> {
    const one = await openAtDesk();
    if (one === undefined) return;
    const receipt = await chain.send(one.user, desk, 'cancel', [one.id]);
    const value = await worth('stake', one.shares, receipt.block);
    note('stake', receipt, 'cancel', one.user, value, one.shares);
  }

  async function solve(): Promise<void> {
    const one = await openAtDesk();
    if (one === undefined) return;
    const receipt = await chain.send(OWNER, desk, 'solve', [one.id]);
    await leave('stake', receipt, one.user, one.shares, one.assets);
  }

  async function openAtDesk() {
    for (const id of await deskIds()) {
      const [user, shares, assets] = await requestAt(desk, id, chain.tip.number);
      if (shares > 0n) return { id, user: lowered(user), shares, assets };
    }
    return undefined;
  }

  async function askPool(wallet: Address): Promise<void> {
    const shares = (await balance('pool', wallet)) / 4n;
    if (shares === 0n) return;
    const receipt = await chain.send(wallet, queue, 'request', [shares, wallet]);
    note('pool', receipt, 'redeem', wallet, await worth('pool', shares, receipt.block), shares);
  }

  async function finalize(): Promise<void> {
    const now = chain.tip.number;
    const [done, last] = [
      await read(queue, 'lastFinalized', [], now),
      await read(queue, 'lastRequestId', [], now),
    ];
    if (done < last) await chain.send(OWNER, queue, 'finalize', [done + (last - done + 1n) / 2n]);
  }

  async function claim(): Promise<void> {
    const now = chain.tip.number;
    const done = await read(queue, 'lastFinalized', [], now);
    for (const id of await poolIds()) {
      const [user, , shares, pays] = await requestAt(queue, id, now);
      if (BigInt(id) > done || shares === 0n) continue;
      const owner = lowered(user);
      const receiver = random.pick(wallets);
      const receipt = await chain.send(owner, queue, 'claim', [BigInt(id), receiver]);
      // History shows the receiver of the payment; the shares belonged to the owner.
      note('pool', receipt, 'withdraw', receiver, pays, shares);
      move('pool', receipt, owner, 'exit', shares, pays);
      return;
    }
  }

  /** Records shares minted for a wallet against a payment. */
  async function enter(slug: string, receipt: Receipt, wallet: Address, paid: bigint) {
    const shares = await gained(slug, receipt, wallet);
    note(slug, receipt, 'deposit', wallet, paid, shares);
    move(slug, receipt, wallet, 'deposit', shares, paid);
  }

  async function leave(
    slug: string,
    receipt: Receipt,
    wallet: Address,
    shares: bigint,
    paid: bigint,
  ) {
    note(slug, receipt, 'withdraw', wallet, paid, shares);
    move(slug, receipt, wallet, 'exit', shares, paid);
  }

  function note(
    slug: string,
    { block, time, hash: tx }: Receipt,
    type: HistoryEntry['type'],
    user: Address,
    assets: bigint,
    shares: bigint,
  ): void {
    const vault = contractOf(slug).address;
    const at = { chainId: chain.chainId, block, time, tx };
    book.note({ family: slug, ...at, type, vault, user, assets, shares });
  }

  function move(
    slug: string,
    { block, time }: Receipt,
    wallet: Address,
    kind: Move['kind'],
    shares: bigint,
    assets: bigint,
  ): void {
    book.move({
      ...{ family: slug, chainId: chain.chainId },
      ...{ block, time, wallet, kind, shares, assets },
    });
  }

  function wordsOf(slug: string): RatedWords {
    return families.find((one) => one.slug === slug)!.places[0]!.rated!;
  }

  function contractOf(slug: string): Contract {
    return { stake, wrap, fund, pool }[slug]!;
  }

  function balance(slug: string, wallet: Address, block = chain.tip.number): Promise<bigint> {
    return wordsOf(slug).balance(wallet, block);
  }

  async function gained(slug: string, { block }: Receipt, wallet: Address): Promise<bigint> {
    return (await balance(slug, wallet, block)) - (await balance(slug, wallet, block - 1));
  }

  async function worth(slug: string, shares: bigint, block: number): Promise<bigint> {
    const ratio = (await wordsOf(slug).ratio(block))!;
    return (shares * ratio.assets) / ratio.shares;
  }

  function plainWords(token: Contract): Pick<RatedWords, 'supply' | 'balance'> {
    return {
      supply: (block) => read(token, 'totalSupply', [], block),
      balance: (wallet, block) => read(token, 'balanceOf', [wallet], block),
    };
  }

  function family(
    slug: string,
    share: Contract,
    base: Address,
    given: { rated: object; words: RatedWords; custody?: readonly Address[] },
  ): Family {
    const place = {
      ...{ chain, vaults: [share.address], share: share.address, asset: base, startBlock },
      custody: [...(given.custody ?? []), share.address],
      keys: { rated: given.rated },
      rated: given.words,
    };
    return { slug, kind: 'rated', places: [place] };
  }

  /** Returns the numbers that a queue's events named up to a block, oldest first. */
  async function numbered(contract: Contract, event: string, block: number): Promise<Hex[]> {
    const item = contract.abi.find((one) => one.type === 'event' && one.name === event) as AbiEvent;
    const logs = await chain.logs(contract.address, toEventSelector(item));
    return logs.filter((log) => log.blockNumber <= block).map(({ topics }) => topics[1]!);
  }

  function requestAt(contract: Contract, id: Hex, block: number) {
    const key = contract === desk ? id : BigInt(id);
    return read<readonly [Address, bigint, bigint, bigint]>(contract, 'requests', [key], block);
  }

  async function requestsOf(
    contract: Contract,
    ids: readonly Hex[],
    wallet: Address,
    block: number,
  ) {
    const all = await Promise.all(ids.map((id) => requestAt(contract, id, block)));
    return all.filter(([user]) => lowered(user) === wallet && user !== ZERO_ADDRESS);
  }
}

function lowered(address: Address): Address {
  return address.toLowerCase() as Address;
}

function sum(rows: readonly (readonly [Address, bigint, bigint, bigint])[], at: 1 | 2 | 3): bigint {
  return rows.reduce((all, row) => all + row[at], 0n);
}
