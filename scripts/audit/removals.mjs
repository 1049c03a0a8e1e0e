import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tree.mjs';

const LEGACY = 'server/src/domain/legacyApi.ts';
const DAY_MS = 86_400_000;

/** Returns one line per part of the code whose removal date has passed at `now` (Unix milliseconds). */
export function findOverdueRemovals({ now, root = ROOT }) {
  const file = join(root, LEGACY);
  if (!existsSync(file)) return [];
  const date = /LEGACY_API_REMOVAL = '(\d{4}-\d{2}-\d{2})'/.exec(readFileSync(file, 'utf8'))?.[1];
  if (date === undefined) return [`${LEGACY}: LEGACY_API_REMOVAL is not a date`];
  if (now < Date.parse(date) + DAY_MS) return [];
  return [
    `${LEGACY}: ${date} is over; remove the bridge (server/src/http/legacy/bridge) and the key legacyApi`,
  ];
}
