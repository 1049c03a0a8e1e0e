import { describe, expect, test } from 'vitest';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { poolFamilyOf } from './loadSnapshot.ts';

function family(slug: string, feederOf: string | null, binding: string): FamilyConfig {
  return { slug, feederOf, bindingDeclarationAddress: binding } as unknown as FamilyConfig;
}

function servedBy(slug: string, families: readonly FamilyConfig[]): string {
  const asked = families.find((one) => one.slug === slug)!;
  return poolFamilyOf({ families } as unknown as Config, asked).slug;
}

describe('poolFamilyOf', () => {
  const master = family('master', null, '0xa');

  test('default', () => {
    const mirror = family('mirror', null, '0xa');
    const families = [mirror, master, family('feeder', 'master', '0xa')];
    expect(servedBy('feeder', families)).toBe('master');
    expect(servedBy('master', families)).toBe('master');
    // It mirrors the declarations but holds shares of the venues itself.
    expect(servedBy('mirror', families)).toBe('mirror');
  });

  test('behavior: a feeder of a feeder', () => {
    const families = [family('last', 'feeder', '0xa'), family('feeder', 'master', '0xa'), master];
    expect(servedBy('last', families)).toBe('master');
  });

  test('behavior: a feeder bound to declarations of another family', () => {
    const families = [master, family('other', null, '0xb'), family('feeder', 'master', '0xb')];
    expect(servedBy('feeder', families)).toBe('other');
  });

  test('behavior: a feeder whose declarations belong to no family', () => {
    expect(servedBy('feeder', [master, family('feeder', 'master', '0xc')])).toBe('master');
  });
});
