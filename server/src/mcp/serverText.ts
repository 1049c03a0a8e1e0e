const MAX_LENGTH = 1_000;
/** Control and format characters, which could hide text or act on a terminal. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Bounds a server's text, because models read it. */
export function serverText(text: string): string {
  const shown = text.slice(0, MAX_LENGTH + 1).replace(UNSEEN, ' ');
  return text.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Bounds every text in a server's JSON, also the names of its fields. */
export function serverTexts(value: unknown): unknown {
  if (typeof value === 'string') return serverText(value);
  if (Array.isArray(value)) return value.map(serverTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [serverText(name), serverTexts(one)]),
  );
}
