import { failure } from './errors.ts';

/** Maximum size of a decompressed response, so that no server can exhaust the memory. */
const MAX_BYTES = 32_000_000;

/** Returns the body as text. Throws `malformed` if it is too long. */
export async function readText(response: Response): Promise<string> {
  if (!response.body || isShort(response)) return response.text();
  return new TextDecoder().decode(await readBytes(response));
}

/** Returns the body. Throws `malformed` if it is too long. */
export async function readBytes({ body, status }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) break;
    chunks.push(value);
    length += value.length;
    if (length <= MAX_BYTES) continue;
    await reader?.cancel();
    throw failure('malformed', `The response (${status}) is too long.`, { status });
  }
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

/** Returns whether Content-Length proves that the body is short. Browsers hide the encoding of cross-origin responses. */
function isShort({ headers, type }: Response): boolean {
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return length <= MAX_BYTES && type !== 'cors' && !headers.get('content-encoding');
}
