/** Base64 of a value's JSON, in UTF-8: names of tokens are not all ASCII. */
export function encodeJson(value: unknown): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(JSON.stringify(value))) {
    bytes += String.fromCharCode(byte);
  }
  return btoa(bytes);
}

/** The object in a header of base64; undefined when there is none. */
export function decodeJson(header: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = Uint8Array.from(atob(header), (char) => char.charCodeAt(0));
    return asObject(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}
