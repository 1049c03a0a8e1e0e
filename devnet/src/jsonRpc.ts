/** Handles one request and returns the engine's text, `{"result":…}` or `{"error":…}`. */
export type Answer = (
  method: string,
  params: readonly unknown[],
  request: string,
) => Promise<string>;

export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_BATCH = 1_000;

/** Handles a JSON-RPC body, single or batch. Never throws: an invalid body gets an error response. */
export async function answerBody(body: string, answer: Answer): Promise<string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return failure(null, -32700, 'Parse error: the body is not JSON');
  }
  if (!Array.isArray(parsed)) return answerOne(parsed, answer, body);
  if (parsed.length === 0) return failure(null, -32600, 'Invalid request: the batch is empty');
  if (parsed.length > MAX_BATCH) {
    return failure(null, -32600, `Invalid request: more than ${MAX_BATCH} calls in one batch`);
  }
  const answers: string[] = [];
  // In order, because a batch can send a transaction and then read its receipt.
  for (const request of parsed)
    answers.push(await answerOne(request, answer, JSON.stringify(request)));
  return `[${answers.join(',')}]`;
}

async function answerOne(request: unknown, answer: Answer, text: string): Promise<string> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return failure(null, -32600, 'Invalid request: not an object');
  }
  const { id = null, method, params = [] } = request as Record<string, unknown>;
  if (typeof method !== 'string') {
    return failure(id, -32600, 'Invalid request: `method` is not a string');
  }
  if (!Array.isArray(params)) return failure(id, -32602, 'Invalid params: not an array');
  try {
    // The engine requires `params`, which is optional in the protocol.
    const complete = 'params' in request ? text : JSON.stringify({ ...request, params });
    const answered = await answer(method, params, complete);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answered.slice(1)}`;
  } catch (error) {
    if (error instanceof RpcFailure) return failure(id, error.code, error.message);
    return failure(id, -32603, error instanceof Error ? error.message : 'Internal error');
  }
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
