import { describe, expect, test } from 'vitest';
import { createLog } from '../cli/log.ts';
import { createHealth } from '../store/health.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { logOutages, withoutOutages } from './outageLog.ts';

/** A log, and a database whose next probe finds `outage`. */
function open() {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const log = createLog({ level: 'info', stream, safeErrors: [StoreUnavailable] });
  const found: { outage: 'unreachable' | undefined } = { outage: undefined };
  const health = createHealth({
    probe: async () =>
      found.outage === undefined ? health.answered(false) : health.unanswered(found.outage),
    hasRoom: async () => true,
  });
  logOutages(health, log);
  const logged = () => lines.map((line) => JSON.parse(line) as { level: string; msg: string });
  return { health, found, log: withoutOutages(log, health), logged };
}

const LOST = { err: new StoreUnavailable('connection-lost') };

describe('an outage', () => {
  test('default: one line at its start and one at its end, regardless of the failures between', async () => {
    const { health, found, log, logged } = open();
    found.outage = 'unreachable';
    // Just after the outage began, before any probe.
    log.error(LOST, 'indexing stopped');
    await expect.poll(() => health.outage()).toBeDefined();
    for (let i = 0; i < 3; i++) {
      log.warn(LOST, 'again');
      health.unanswered('silent');
      health.unanswered('refused');
    }
    found.outage = undefined;
    await health.check();
    expect(logged()).toMatchObject([
      { level: 'warn', outage: 'unreachable', msg: expect.stringContaining('does not answer') },
      { level: 'info', outage: 'unreachable', msg: 'the database is available again' },
    ]);
  });

  test('behavior: a lost connection to a responding database is logged, and so is everything else', async () => {
    const { log, logged } = open();
    log.error(LOST, 'indexing stopped');
    log.warn({ err: new StoreUnavailable('slow') }, 'slow');
    log.error({ err: new Error('bug') }, 'bug');
    log.info({ chainId: 1 }, 'indexed');
    await expect
      .poll(() =>
        logged()
          .map(({ msg }) => msg)
          .sort(),
      )
      .toEqual(['bug', 'indexed', 'indexing stopped', 'slow']);
  });
});
