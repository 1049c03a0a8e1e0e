import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import { FAMILY_CHANNEL, listenForFamilies } from './familyChanges.ts';

describeAnyEngine('listenForFamilies', (open) => {
  test('default', async () => {
    const store = await open();
    const notify = { name: 'test_notify_family', text: 'select pg_notify($1, $2)' };
    const changes = await listenForFamilies(store);
    const received: string[] = [];
    const both = new Promise<void>((resolve) => {
      changes.onChange((slug) => {
        received.push(slug);
        if (slug === 'svceth') resolve();
      });
    });
    const undone = store.transaction(async (tx) => {
      await tx.query(notify, [FAMILY_CHANNEL, 'svcbtc']);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await store.query(notify, [FAMILY_CHANNEL, 'svcusd']);
    await store.query(notify, [FAMILY_CHANNEL, 'svceth']);
    await both;
    expect(received).toEqual(['svcusd', 'svceth']);
    await changes.stop();
  });

  test('behavior: repeats a change once a lagging replica has it', async () => {
    const store = await open();
    const notify = { name: 'test_notify_family', text: 'select pg_notify($1, $2)' };
    const changes = await listenForFamilies(store, 10);
    const received: string[] = [];
    changes.onChange((slug) => received.push(slug));
    await store.query(notify, [FAMILY_CHANNEL, 'svcusd']);
    await expect.poll(() => received).toEqual(['svcusd', 'svcusd']);
    await changes.stop();
  });
});
