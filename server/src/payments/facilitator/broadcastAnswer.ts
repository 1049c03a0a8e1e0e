import type { NodeAnswer } from '../chain/nodes.ts';

export type BroadcastAnswer =
  | 'accepted'
  | 'nonce_used'
  /** Rejected: the nonces before it must come first. */
  | 'nonce_ahead'
  | 'underpriced'
  | 'no_funds'
  | 'refused';

/** Error texts for raw transactions: geth and its forks, Nethermind, Besu, Erigon, Reth, local chains. */
const PATTERNS: readonly (readonly [RegExp, BroadcastAnswer])[] = [
  [
    /already ?known|known transaction|already (?:imported|exists|in (?:the )?(?:mem)?pool)/,
    'accepted',
  ],
  [/already_exists|existing tx|same hash/, 'accepted'],
  [/nonce (?:is )?too low|old ?nonce|nonce has already been used|nonce below/, 'nonce_used'],
  [
    /nonce (?:is )?too (?:high|far|distant)|nonce_?too_?(?:far|high)|nonce ?gap|gapped/,
    'nonce_ahead',
  ],
  [/underpriced|fee ?too ?low|gas price (?:below|too low)|less than block base fee/, 'underpriced'],
  [/replacement ?not ?allowed|max fee per gas|maxfeepergas.*(?:low|less)/, 'underpriced'],
  [
    /insufficient ?funds|enough funds|exceeds (?:account )?balance|insufficient balance/,
    'no_funds',
  ],
];

export function readBroadcast(answer: NodeAnswer): BroadcastAnswer {
  if ('result' in answer) return 'accepted';
  return PATTERNS.find(([pattern]) => pattern.test(answer.error.raw.text))?.[1] ?? 'refused';
}
