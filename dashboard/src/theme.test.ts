import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Returns the colors by name of each block. */
function colorsOf(text: string): Map<string, string>[] {
  return [...text.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(
    ([, block]) =>
      new Map(
        [...block!.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [
          name!,
          value!,
        ]),
      ),
  );
}

test('default: dark is the same by choice and by system setting', () => {
  const [, bySystem, byChoice] = colorsOf(read('theme.css'));
  expect(bySystem).toEqual(byChoice);
  expect(bySystem!.size).toBeGreaterThan(10);
});

test("behavior: the reference pages use the user's choice", () => {
  const [, key] = /KEY = ('[\w-]+')/.exec(read('state/theme.ts'))!;
  expect(read('../../server/src/http/docs/script.ts')).toContain(`localStorage.getItem(${key})`);
});
