import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import { FAMILY_CHANNEL, listenForFamilies } from './familyChanges.ts';

describeAnyEngine('listenForFamilies', (open) => {
  test('default', async () => {
    const store = await open();
    const notify = { name: 'test_notify_family', text: 'select pg_notify($1, $2)' };
    const changes = await listenForFamilies(store);
    const heard: string[] = [];
    const both = new Promise<void>((resolve) => {
      changes.onChange((slug) => {
        heard.push(slug);
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
    expect(heard).toEqual(['svcusd', 'svceth']);
    await changes.stop();
  });

  test('behavior: told again when reads that were made meanwhile may have been old', async () => {
    const store = await open();
    const notify = { name: 'test_notify_family', text: 'select pg_notify($1, $2)' };
    const changes = await listenForFamilies(store, 10);
    const heard: string[] = [];
    changes.onChange((slug) => heard.push(slug));
    await store.query(notify, [FAMILY_CHANNEL, 'svcusd']);
    await expect.poll(() => heard).toEqual(['svcusd', 'svcusd']);
    await changes.stop();
  });
});
