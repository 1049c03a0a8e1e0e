import {
  PAYMENT_STATE,
  PAYMENT_STATES,
  PAYMENT_STEPS,
  type PaymentState,
  type PaymentStates,
  type PaymentStep,
} from '../../domain/paymentLife.ts';

/** The condition that a row, or the row with this alias, is in one of these states. */
export function isAny(states: PaymentStates, row = ''): string {
  return among(PAYMENT_STATES[states], row);
}

/** The condition under which a step may be taken. */
export function may(step: PaymentStep, row = ''): string {
  return among(PAYMENT_STEPS[step].from, row);
}

/** The assignments of a step. */
export function moves(step: PaymentStep): string {
  return `state = ${PAYMENT_STATE[PAYMENT_STEPS[step].to]}`;
}

/** Numbers in ascending order, as in the partial indexes. */
function among(states: readonly PaymentState[], row: string): string {
  const numbers = states.map((state) => PAYMENT_STATE[state]).sort((a, b) => a - b);
  const column = row === '' ? 'state' : `${row}.state`;
  return numbers.length === 1
    ? `${column} = ${numbers[0]}`
    : `${column} in (${numbers.join(', ')})`;
}

const NAMES = new Map<number, PaymentState>(
  Object.entries(PAYMENT_STATE).map(([name, number]) => [number, name as PaymentState]),
);

/** The state that a row's number stands for. */
export function stateOf(number: number): PaymentState {
  return NAMES.get(number)!;
}
