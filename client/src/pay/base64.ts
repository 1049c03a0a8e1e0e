// ASCII, as in most headers, needs no UTF-8 encoding. Token names are not always ASCII.
const ASCII = /^[\0-\x7f]*$/;

/** Encodes a value as JSON, in base64 of UTF-8. */
export function encodeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (ASCII.test(text)) return btoa(text);
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/** Returns the object in a base64 header; undefined if there is none. */
export function decodeJson(header: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = atob(header);
    return asObject(JSON.parse(ASCII.test(bytes) ? bytes : decoded(bytes)));
  } catch {
    return undefined;
  }
}

function decoded(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}
