import { wordAt } from '../../chain/abi.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { RatedCall, RatedConfig } from '../../config/rated/description.ts';
import type { Look } from '../../vaults/recognize/readContract.ts';
import { type CheckLine, fail } from '../line.ts';

/** Null if the call fails. */
export async function readNumber(look: Look, call: RatedCall): Promise<bigint | null> {
  const { contract, data, answer } = call;
  const [result] = await look.client.multicall([{ to: contract, data }], look.block);
  return !result || result.length < 66 + answer * 64 ? null : wordAt(result, answer);
}

/** Checks that the supply and balances of the description match the moves of its event. */
export async function checkLedger(
  look: Look,
  { ledger }: RatedConfig,
  { moves, key }: LedgerCheck,
): Promise<CheckLine[]> {
  const supply = await readNumber(look, ledger.supply);
  if (supply === null) {
    return [fail(key('ledger.supply'), `${ledger.supply.call} fails`, 'name another call')];
  }
  if (!moves.seen) {
    if (supply === 0n) return [];
    const reason = `${ledger.event.split('(')[0]} was never seen, but there are ${supply} shares`;
    return [fail(key('ledger.event'), reason, 'name the event that moves shares')];
  }
  const lines: CheckLine[] = [];
  let [balances, supplies] = [0, 0];
  let [fitting, minting] = [0, 0];
  try {
    for (const block of moves.blocks) {
      for (const [holder, delta] of block.deltas) {
        const call = { ...ledger.balance, data: withWallet(ledger.balance.data, holder) };
        const grown = await grownIn(call, block.number);
        if (grown === null) continue;
        balances += 1;
        if (grown === delta) fitting += 1;
      }
      const grown = await grownIn(ledger.supply, block.number);
      if (grown === null || block.minted === 0n) continue;
      supplies += 1;
      if (grown === block.minted) minting += 1;
    }
  } catch (error) {
    // An RPC endpoint without archive state cannot show this.
    if (!(error instanceof StateUnavailable)) throw error;
    return [];
  }
  if (balances > 0 && fitting * 2 < balances) {
    const reason = `${ledger.balance.call} changes by what ${ledger.event.split('(')[0]} moves in ${fitting} of ${balances} cases`;
    lines.push(fail(key('ledger'), reason, 'name the event and the calls that count shares'));
  }
  if (supplies > 0 && minting * 2 < supplies) {
    const reason = `${ledger.supply.call} grows by what is minted in ${minting} of ${supplies} blocks`;
    lines.push(fail(key('ledger.supply'), reason, 'name the call that returns the total supply'));
  }
  return lines;

  async function grownIn(call: RatedCall, block: number): Promise<bigint | null> {
    const [after, before] = [
      await readNumber({ ...look, block }, call),
      await readNumber({ ...look, block: block - 1 }, call),
    ];
    return after === null || before === null ? null : after - before;
  }
}

interface LedgerCheck {
  readonly moves: {
    readonly seen: boolean;
    /** A few blocks, with the change of each holder's balance and of the supply. */
    readonly blocks: readonly {
      readonly number: number;
      readonly deltas: ReadonlyMap<`0x${string}`, bigint>;
      readonly minted: bigint;
    }[];
  };
  key(part: string): string;
}

function withWallet(selector: RatedCall['data'], wallet: string): RatedCall['data'] {
  return `${selector}${wallet.slice(2).padStart(64, '0')}` as RatedCall['data'];
}
