import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Random } from '../random.ts';
import type { Outcome } from './answer.ts';
import type { Answer, Call } from './call.ts';
import { fillForm } from './forms.ts';
import type { Rejection } from './limits.ts';

/** Writes the outcome of a single call, under the HTTP status of its form. */
export function sendOne(
  response: ServerResponse,
  call: Call,
  outcome: Outcome,
  options: { random: Random; speed: number },
): void {
  if (outcome.kind === 'answered') {
    sendJson(response, 200, outcome.answer);
    return;
  }
  const { form } = outcome.rejection;
  if (outcome.kind === 'limited' && options.random.chance(form.retryAfter ?? 0)) {
    // Integer seconds, as providers send them. With a fast clock, one second is more than the provider needs.
    response.setHeader('retry-after', Math.max(1, Math.ceil(outcome.waitSeconds / options.speed)));
  }
  sendWhole(response, outcome.rejection, call.id);
}

/** Writes the outcomes of a batch. Successful items keep their results. */
export function sendBatch(
  response: ServerResponse,
  calls: readonly Call[],
  outcomes: readonly Outcome[],
): void {
  const [first] = outcomes;
  const isBare = outcomes.every(
    (one) => one.kind !== 'answered' && one.rejection.form.code === undefined,
  );
  if (isBare && first && first.kind !== 'answered') {
    sendWhole(response, first.rejection, null);
    return;
  }
  const items = outcomes.map((outcome, index) =>
    outcome.kind === 'answered' ? outcome.answer : toError(outcome.rejection, calls[index]!.id),
  );
  sendJson(response, 200, items);
}

/** Writes one rejection for the whole request. */
export function sendWhole(response: ServerResponse, rejection: Rejection, id: unknown): void {
  const { form } = rejection;
  if (form.code !== undefined) {
    sendJson(response, form.status, toError(rejection, id));
    return;
  }
  response.statusCode = form.status;
  if (form.html !== undefined) response.setHeader('content-type', 'text/html');
  response.end(form.html);
}

function toError({ form, values }: Rejection, id: unknown): Answer {
  const message = fillForm(form.message ?? STATUS_CODES[form.status] ?? '', values);
  return { jsonrpc: '2.0', id, error: { code: form.code ?? form.status, message } };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.byteLength })
    .end(bytes);
}
