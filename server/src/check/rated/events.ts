import type { RatedConfig } from '../../config/rated/description.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import type { FlowAction } from '../../domain/vault/event.ts';
import { type CheckLine, fail, warn } from '../line.ts';
import type { Beside, FlowLogs, Move } from './samples.ts';

interface EventCheck {
  readonly rated: RatedConfig;
  readonly read: readonly FlowLogs[];
  readonly moves: readonly Beside[];
  readonly custody: ReadonlySet<Address>;
  key(part: string): string;
}

/** The share moves of each action, as text for an operator, and the other actions that cause them. */
const CAUSES: Readonly<
  Record<FlowAction, { readonly what: string; readonly also: readonly FlowAction[] }>
> = {
  deposit: { what: 'mint', also: ['cancel'] },
  exit: { what: 'burn', also: ['claim', 'settle', 'request'] },
  request: { what: 'transfer into custody', also: [] },
  cancel: { what: 'transfer out of custody', also: ['claim', 'settle'] },
  settle: { what: 'burn of queued shares', also: ['claim', 'exit'] },
  claim: { what: 'burn of queued shares', also: ['settle', 'exit'] },
  // It moves no shares.
  move: { what: 'move', also: [] },
};

/** Reports events that were never seen: an error if shares moved as if they had been. */
export function checkEvents({ rated, read, moves, custody, key }: EventCheck): CheckLine[] {
  return read.flatMap(({ flow, index, logs, complete, indexed }) => {
    if (logs.length > 0) return [];
    const at = key(`flows[${index}].event`);
    const name = flow.event.split('(')[0];
    if (indexed !== null) {
      const reason = `the logs of ${name} have ${indexed} indexed fields, and the signature ${flow.topics - 1}`;
      return [fail(at, reason, 'correct what is indexed')];
    }
    const since = complete ? 'was never seen' : 'was not seen in recent logs';
    const { what, also } = CAUSES[flow.action];
    const own = moves.filter((move) => isCaused(flow.action, move, custody));
    const explaining = new Set([flow.action, ...also]);
    const unexplained = own.filter(
      (move) => ![...move.flows].some((i) => explaining.has(rated.flows[i]!.action)),
    );
    const where = `${name} of ${flow.contract} ${since}`;
    if (
      unexplained.length === 0 ||
      (flow.action === 'deposit' && rated.ledger.mints === 'bought')
    ) {
      return [warn(at, where, 'check the signature if you expect it')];
    }
    const reason = `${where}, and ${unexplained.length} of ${own.length} recent cases of "${what}" have no event`;
    // If other events explain some, the rest may be fees or a bridge.
    if (unexplained.length < own.length) return [warn(at, reason, 'check the signature')];
    return [fail(at, reason, 'correct the contract or the signature')];
  });
}

function isCaused(action: FlowAction, move: Move, custody: ReadonlySet<Address>): boolean {
  const { from, to } = move;
  switch (action) {
    case 'deposit':
      return from === ZERO_ADDRESS && !custody.has(to);
    case 'exit':
      return to === ZERO_ADDRESS && !custody.has(from);
    case 'request':
      return custody.has(to) && from !== ZERO_ADDRESS && !custody.has(from);
    case 'cancel':
      return custody.has(from) && to !== ZERO_ADDRESS && !custody.has(to);
    case 'settle':
    case 'claim':
      return to === ZERO_ADDRESS && custody.has(from);
    case 'move':
      return false;
  }
}
