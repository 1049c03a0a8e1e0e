import type { GovernancePageItem } from '@assay/client';
import { cleanText, shortAddress } from '../format/text.ts';

const KINDS: Readonly<Record<GovernancePageItem['kind'], string>> = {
  owner: 'owner',
  role: 'role',
  curator: 'curator',
  cap: 'limit',
  fee: 'fee',
  oracle: 'price source',
  pause: 'pause',
  timelock: 'timelock',
  upgrade: 'upgrade',
  allocation: 'allocation',
  access: 'access',
  other: 'other',
};

export function changeKindText(kind: GovernancePageItem['kind']): string {
  return KINDS[kind] ?? cleanText(kind, 20);
}

/** Splits the name of an event: OwnershipTransferStarted is "Ownership transfer started". */
export function eventText(event: string): string {
  const words = cleanText(event, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DEFAULT_ADMIN = `0x${'0'.repeat(64)}`;

/** Shortens addresses and hashes. The role of zeros is OpenZeppelin's default admin. */
export function fieldText(value: string, event: string): string {
  if (value === DEFAULT_ADMIN && event.startsWith('Role')) return 'default admin';
  if (/^0x[0-9a-fA-F]{20,}$/.test(value)) return shortAddress(value);
  return cleanText(value, 40);
}
