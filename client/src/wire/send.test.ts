import { describe, expect, test } from 'vitest';
import { createWire, send } from './send.ts';

/** Ignores an aborted signal, as Node's fetch sometimes does after the headers. */
const deaf = () => new Promise<never>(() => {});
const read = async () => undefined;

describe('send', () => {
  test.each([true, false])(
    'behavior: a platform that ignores an abort does not keep the call waiting (cut: %s)',
    async (cut) => {
      const wire = createWire({ fetch: deaf, timeoutMs: 1 });
      const sending = send(wire, 'https://a.example', { cut }, read);
      await expect(sending).rejects.toMatchObject({ type: 'timeout', timeoutMs: 1 });
    },
  );

  test('behavior: the same after the caller has aborted', async () => {
    const controller = new AbortController();
    const wire = createWire({ fetch: deaf, timeoutMs: 600_000 });
    const sending = send(wire, 'https://a.example', { signal: controller.signal }, read);
    controller.abort();
    await expect(sending).rejects.toMatchObject({ type: 'aborted' });
  });
});
