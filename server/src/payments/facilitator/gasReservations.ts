import type { Address } from '../../domain/hex.ts';

/** The gas of settlements in flight that run the payer's code: all of it counts as lost until its cost is known. */
export interface GasReservations {
  /** Until released, or until this time. */
  add(payer: Address, gas: bigint, until: number): Reservation;
  /** Of one payer, or of all. */
  total(payer?: Address): bigint;
}

export interface Reservation {
  readonly ok: true;
  release(): void;
}

/** `now` is in Unix seconds. */
export function createGasReservations(now: () => number): GasReservations {
  const reservations = new Set<{
    readonly payer: Address;
    readonly gas: bigint;
    readonly until: number;
  }>();
  return { add, total };

  function add(payer: Address, gas: bigint, until: number): Reservation {
    const reservation = { payer, gas, until };
    reservations.add(reservation);
    return {
      ok: true,
      release: () => {
        reservations.delete(reservation);
      },
    };
  }

  function total(payer?: Address): bigint {
    let sum = 0n;
    for (const reservation of reservations) {
      if (reservation.until <= now()) reservations.delete(reservation);
      else if (payer === undefined || reservation.payer === payer) sum += reservation.gas;
    }
    return sum;
  }
}
