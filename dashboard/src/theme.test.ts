import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Colours by name, of each block in turn. */
function colours(text: string): Map<string, string>[] {
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

test('default: dark is the same by choice and by the system', () => {
  const [, bySystem, byChoice] = colours(read('theme.css'));
  expect(bySystem).toEqual(byChoice);
  expect(bySystem!.size).toBeGreaterThan(10);
});

test('default: the reference pages have the same colours', () => {
  const [light, dark] = colours(read('theme.css'));
  const [pageLight, pageDark, chosen] = colours(read('../../server/src/http/docs/style.ts'));
  expect(chosen).toEqual(pageDark);
  for (const [name, value] of pageLight!) expect(light!.get(name), name).toBe(value);
  for (const [name, value] of pageDark!) expect(dark!.get(name), name).toBe(value);
});

test('behavior: the reference pages know what the reader chose', () => {
  const [, key] = /KEY = ('[\w-]+')/.exec(read('state/theme.ts'))!;
  expect(read('../../server/src/http/docs/frame.ts')).toContain(`localStorage.getItem(${key})`);
});
