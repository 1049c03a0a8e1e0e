import { decodeEventLog, parseAbi, toEventSelector } from 'viem';
import { type Address, type Hex, lower, ZERO_ADDRESS } from '../../src/domain/hex.ts';
import type { Family, Place } from './scenario.ts';

const TRANSFER = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
export const TRANSFER_TOPIC = toEventSelector(TRANSFER[0]);

export interface Transfer {
  readonly block: number;
  readonly tx: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/** Returns every transfer of the share token on one chain, in order. */
export async function transfersOf(place: Place): Promise<Transfer[]> {
  const logs = await place.chain.logs(place.share, place.rated?.moves ?? TRANSFER_TOPIC);
  return logs.map(({ topics, data, blockNumber, transactionHash }) => {
    const { args } = decodeEventLog({
      abi: TRANSFER,
      data,
      topics: [TRANSFER_TOPIC, ...topics.slice(1)] as [Hex, ...Hex[]],
    });
    return {
      block: blockNumber,
      tx: transactionHash,
      from: lower(args.from),
      to: lower(args.to),
      value: args.value,
    };
  });
}

/** Returns every account that ever had shares on any chain, without custody accounts. */
export async function holdersOf(family: Family): Promise<Address[]> {
  const seen = new Set<Address>();
  for (const place of family.places) {
    for (const { from, to } of await transfersOf(place)) seen.add(from).add(to);
  }
  for (const place of family.places) {
    for (const custody of [...place.custody, ...(place.routers ?? [])]) seen.delete(custody);
  }
  seen.delete(ZERO_ADDRESS);
  return [...seen];
}

/** Returns the holders and the wallets that may have pending requests. */
export async function walletsOf(family: Family): Promise<Address[]> {
  return [...new Set([...(await holdersOf(family)), ...(family.wallets ?? [])])];
}
