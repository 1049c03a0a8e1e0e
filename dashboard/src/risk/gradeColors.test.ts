import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('..', import.meta.url));
const LETTERS = [...'ABCDEF'];
type Triple = readonly [number, number, number];

/** Machado, Oliveira, and Fernandes (2009), full severity, in linear RGB. */
const VISIONS: Readonly<Record<string, readonly Triple[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Two colors this far apart in CIELAB can be distinguished at a glance, not only side by side. */
const APART = 20;

const css = read('theme.css') + read('risk/risk.css') + read('components/values.css');
const background = (letter: string) => captured(`--grade-${letter}: (#[0-9a-f]{6})`);
const text = (letter: string) => {
  const name = captured(`\\.grade-${letter} \\{\\s*color: var\\((--[\\w-]+)\\)`);
  return captured(`${name}: (#[0-9a-f]{6})`);
};

describe('grade colors', () => {
  test.each(Object.keys(VISIONS))('default: six steps that differ: %s', (vision) => {
    const seen = LETTERS.map((letter) => lab(seenAs(linear(background(letter)), vision)));
    for (const [i, a] of seen.entries()) {
      for (const [j, b] of seen.slice(0, i).entries()) {
        const pair = `${LETTERS[j]} and ${LETTERS[i]}`;
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), pair).toBeGreaterThan(APART);
      }
    }
  });

  test.each(LETTERS)('default: %s can be read on its color', (letter) => {
    const [a, b] = [luminance(background(letter)), luminance(text(letter))];
    expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });

  test('behavior: only bought grades have a letter; the free score has neither letter nor color', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
    const graded = files
      .filter((file) => file.endsWith('.tsx') && !file.startsWith('risk'))
      .filter((file) => /grade[.-]|_riskTier/i.test(read(file)));
    expect(graded).toEqual([]);
    const rules = [...css.matchAll(/^\s*(\.score[^{]*)\{([^}]*)\}/gm)];
    expect(rules.length).toBeGreaterThan(2);
    for (const [, selector, body] of rules) {
      expect(selector).not.toMatch(/good|fair|poor|grade/);
      expect(body).not.toMatch(/--(good|fair|poor|grade)/);
    }
  });
});

function read(path: string): string {
  return readFileSync(join(SRC, path), 'utf8');
}

function captured(pattern: string): string {
  const found = new RegExp(pattern).exec(css);
  expect(found, pattern).not.toBeNull();
  return found![1]!;
}

function linear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function seenAs([r, g, b]: Triple, vision: string): Triple {
  const row = (at: number) => {
    const [x, y, z] = VISIONS[vision]![at]!;
    return Math.min(1, Math.max(0, x * r + y * g + z * b));
  };
  return [row(0), row(1), row(2)];
}

function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** CIELAB with a D65 white point. */
function lab([r, g, b]: Triple): Triple {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
