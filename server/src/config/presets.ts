import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Static } from 'typebox';
import { readDocument } from './document.ts';
import { ConfigError } from './problem.ts';
import { presetSchema } from './rated/schema.ts';
import { readText } from './readText.ts';
import { findShapeProblems } from './shape.ts';

export type Preset = Static<typeof presetSchema>;

const FOLDER = fileURLToPath(new URL('../../presets/', import.meta.url));

/** Lists the names of all presets, from their files. */
export function presetNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

/** Returns undefined if there is no preset of that name. */
export function findPreset(name: string): Preset | undefined {
  if (!presetNames().includes(name)) return undefined;
  const file = join(FOLDER, `${name}.yaml`);
  return parsePreset(file, readText(file));
}

/** Throws a ConfigError that describes its problems. */
export function parsePreset(file: string, text: string): Preset {
  const document = readDocument(text, {});
  const problems = [...document.problems, ...findShapeProblems(presetSchema, document)];
  if (problems.length > 0) throw new ConfigError(file, problems);
  return document.value as Preset;
}
