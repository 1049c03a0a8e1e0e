import { Type } from 'typebox';
import { CHANGE_KINDS } from '../../domain/governance/change.ts';
import type { GovernanceRow } from '../../store/governance/governance.ts';
import { checksummed } from '../checksum.ts';
import { Address, ChainId, Hash, Nullable, OneOf, Shape, Text, UnixTime } from '../schemas.ts';

const value = (description: string, none: string) => Nullable(Text(description), none);

export const governanceItem = Shape(
  {
    id: Text('Identifies the item, also in `/v1/events`: `chainId-blockNumber-logIndex-slug`.'),
    kind: OneOf(
      CHANGE_KINDS,
      'owner, role, and curator: who controls the contract; cap: limits of deposits, markets, and strategies; fee: fees and their recipients; oracle: price sources and their bounds; pause: paused, resumed, or shut down; timelock: delays, and changes that wait for one; upgrade: proxies; allocation: where assets can go; access: who can deposit or redeem; other: any other event that the server reads.',
    ),
    event: Text('Name of the event, as in its contract.'),
    contract: Address('The contract that emitted it.'),
    subject: value(
      'What the change applies to: a role, a market, an account, or a function selector. Several are separated by commas.',
      'As in the event: addresses, hex, or integers. Null if the event names nothing.',
    ),
    oldValue: value(
      'The value before. Several are separated by commas.',
      'Null if the event does not have it.',
    ),
    newValue: value(
      'The value after; for a scheduled change, the pending value. Several are separated by commas. Values over 4,096 characters are cut and end with …',
      'Null if the event does not have it.',
    ),
    effectiveAt: Nullable(
      UnixTime('Time from which a scheduled change can be executed.'),
      'Null if the event does not have it.',
    ),
    chainId: ChainId('The chain.'),
    transactionHash: Hash('The transaction.'),
    blockTimestamp: UnixTime('Time of its block.'),
    blockNumber: Type.Integer({ minimum: 0, description: 'The block in which it happened.' }),
    logIndex: Type.Integer({ minimum: 0, description: 'Index of its log in that block.' }),
  },
  'A change of the owner, roles, or limits of a contract.',
);

export const governanceItemExample = {
  id: '8453-41412050-12-svcusd',
  kind: 'cap',
  event: 'SetCap',
  contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  subject: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  oldValue: null,
  newValue: '250000000000',
  effectiveAt: null,
  chainId: 8453,
  transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  blockTimestamp: 1_769_860_800,
  blockNumber: 41_412_050,
  logIndex: 12,
};

/** The item as the API and the feed show it. */
export function presentChange(row: GovernanceRow, slug: string) {
  const { chainId, blockNumber, logIndex } = row;
  return {
    id: `${chainId}-${blockNumber}-${logIndex}-${slug}`,
    kind: row.kind,
    event: row.event,
    contract: checksummed(row.contract),
    subject: row.subject,
    oldValue: row.oldValue,
    newValue: row.newValue,
    effectiveAt: row.effectiveAt,
    chainId,
    transactionHash: row.txHash,
    blockTimestamp: row.blockTime,
    blockNumber,
    logIndex,
  };
}
