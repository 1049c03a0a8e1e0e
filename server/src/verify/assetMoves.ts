import { toEventSelector } from 'viem';
import type { RawLog } from '../chain/chainClient.ts';
import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { Deployment } from './deployment.ts';
import { isTransfer, type ShareTransfer, TRANSFER, transferOf, wordOf } from './vaultLogs.ts';

/** Events of a wrapped native coin, which has no Transfer for them. */
const WRAPPED = toEventSelector('Deposit(address,uint256)');
const UNWRAPPED = toEventSelector('Withdrawal(address,uint256)');

/**
 * Transfers of the base asset in one transaction, from or to one of these accounts (null: all). Native coin that is wrapped comes
 * from the zero address; unwrapped, it goes there.
 */
export async function readAssetMoves(
  deployment: Deployment,
  { block, transaction }: { readonly block: number; readonly transaction: Hex },
  accounts: readonly Address[] | null,
): Promise<ShareTransfer[]> {
  const { chain, reader } = deployment;
  const asset = await need<Address>(
    deployment.askAt(block),
    chain.address,
    'asset() view returns (address)',
  );
  const words = accounts?.map(wordOf) ?? null;
  const found = new Map<number, ShareTransfer>();
  const wrapped = new Map<number, ShareTransfer>();
  for (const topics of [
    [[TRANSFER, WRAPPED, UNWRAPPED], words],
    [[TRANSFER], null, words],
  ]) {
    const filter = { addresses: [lower(asset)], topics };
    await reader.logs({ fromBlock: block, toBlock: block, filter }, (logs) => {
      for (const log of logs) {
        if (log.transactionHash !== transaction) continue;
        const isWrap = log.topics[0] === WRAPPED || log.topics[0] === UNWRAPPED;
        if (isWrap && log.topics.length === 2) wrapped.set(log.logIndex, wrappingOf(log));
        else if (!isWrap && isTransfer(log)) found.set(log.logIndex, transferOf(log));
      }
    });
  }
  const moves = [...found.values()];
  // Some tokens also emit the Transfer.
  const isKnown = (one: ShareTransfer) =>
    moves.some(({ from, to, value }) => from === one.from && to === one.to && value === one.value);
  return [...moves, ...[...wrapped.values()].filter((one) => !isKnown(one))];
}

function wrappingOf({ topics, data, blockNumber, transactionHash }: RawLog): ShareTransfer {
  const account = lower(`0x${topics[1]!.slice(26)}` as Address);
  const isIn = topics[0] === WRAPPED;
  return {
    block: blockNumber,
    transaction: transactionHash,
    from: isIn ? ZERO_ADDRESS : account,
    to: isIn ? account : ZERO_ADDRESS,
    value: BigInt(data.slice(0, 66)),
  };
}
