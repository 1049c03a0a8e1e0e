import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look, numberIn } from './readContract.ts';

export type AllocatorName =
  | 'MetaMorpho'
  | 'Morpho Vault V2'
  | 'Yearn V3'
  | 'Euler Earn'
  | 'Maple pool';

const morpho = fn('MORPHO()');
const withdrawQueueLength = fn('withdrawQueueLength()');
const lostAssets = fn('lostAssets()');
const evc = fn('EVC()');
const adaptersLength = fn('adaptersLength()');
const defaultQueue = fn('get_default_queue()');
const totalDebt = fn('totalDebt()');
const manager = fn('manager()');
const withdrawalManager = fn('withdrawalManager()');
const poolDelegate = fn('poolDelegate()');

/**
 * Returns the contract that spreads a vault's assets over markets or strategies that can be read on chain; null if
 * unknown.
 */
export async function findAllocator(look: Look, vault: Address): Promise<AllocatorName | null> {
  const [market, queue, lost, connector, adapters, strategies, debt, managerWord] = await ask(
    look,
    vault,
    [
      morpho(),
      withdrawQueueLength(),
      lostAssets(),
      evc(),
      adaptersLength(),
      defaultQueue(),
      totalDebt(),
      manager(),
    ],
  );
  if (addressIn(market) !== null && numberIn(queue) !== null) return 'MetaMorpho';
  if (numberIn(queue) !== null && numberIn(lost) !== null && addressIn(connector) !== null) {
    return 'Euler Earn';
  }
  if (numberIn(adapters) !== null) return 'Morpho Vault V2';
  if (strategies && numberIn(debt) !== null) return 'Yearn V3';
  const poolManager = addressIn(managerWord);
  if (poolManager === null) return null;
  const [withdrawals, delegate] = await ask(look, poolManager, [
    withdrawalManager(),
    poolDelegate(),
  ]);
  return addressIn(withdrawals) !== null && addressIn(delegate) !== null ? 'Maple pool' : null;
}
