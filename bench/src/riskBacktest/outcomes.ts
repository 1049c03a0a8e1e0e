import type { Case, Loss } from './cases.ts';

/** Losses are counted from 2022-12 to 2026-08. */
export const MONTHS = 45;
export const YEARS = MONTHS / 12;
/** In USD. Below this, losses are rarely reported. */
export const WATCHED_FROM = 1e6;

export function isWatched({ tvlUsd }: Case): boolean {
  return tvlUsd > WATCHED_FROM;
}

/** Returns whether it lost at least this share of the TVL of 2022-11. A loss of unknown amount counts. */
export function lost({ outcome }: Case, share = 0.01, sureOnly = false): boolean {
  const counts = (loss: Loss) =>
    (loss.share === undefined || loss.share >= share) && (loss.isSure || !sureOnly);
  return outcome?.losses.some(counts) === true;
}

/** Returns the same within a part of the period. */
export function lostWithin({ outcome }: Case, from: number, until: number): boolean {
  const counts = ({ at, share }: Loss) =>
    at >= from && at < until && (share === undefined || share >= 0.01);
  return outcome?.losses.some(counts) === true;
}

export function closed({ outcome }: Case): boolean {
  return outcome?.closed === true;
}
