import { MIN_RAW_DAYS, parseDuration } from '../../domain/series/retention.ts';
import { DAY } from '../../domain/time.ts';
import { objectAt } from './entries.ts';
import type { Review } from './review.ts';

export function checkRetention({ file, fail }: Review): void {
  const { raw, hour } = objectAt(file, 'retention');
  const [rawAge, hourAge] = [raw, hour].map((text) =>
    typeof text === 'string' ? parseDuration(text) : undefined,
  );
  if (rawAge !== undefined && rawAge < MIN_RAW_DAYS * DAY) {
    const reason = 'snapshots and yields look back 30 days';
    fail('retention.raw', `must be at least ${MIN_RAW_DAYS}d, because ${reason}`);
  }
  if (rawAge !== undefined && hourAge !== undefined && hourAge < rawAge) {
    fail('retention.hour', 'must be at least as long as retention.raw');
  }
}
