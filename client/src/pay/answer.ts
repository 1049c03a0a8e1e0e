import { failure } from '../wire/errors.ts';
import { send, type Wire } from '../wire/send.ts';

/** What a seller sent, whole. */
export interface SellerAnswer {
  readonly response: Response;
  readonly text: string;
}

/** Characters of an answer: a seller does not get to fill the memory. */
const MOST_TEXT = 32_000_000;

export interface Asked {
  /** The payment header. */
  readonly payment?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export function askSeller(
  wire: Wire,
  url: string,
  { payment, signal }: Asked,
): Promise<SellerAnswer> {
  const paid = payment !== undefined && { headers: { 'payment-signature': payment }, cut: true };
  return send(wire, url, { signal, ...paid }, async (response) => ({
    response,
    text: await readText(response),
  }));
}

async function readText(response: Response): Promise<string> {
  const { body, headers, status } = response;
  // Where the length is told and small, no more than that can come.
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (length <= MOST_TEXT || !body) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    if (text.length <= MOST_TEXT) continue;
    await reader.cancel();
    throw failure('malformed', `the answer (${status}) has no end`, { status });
  }
}
