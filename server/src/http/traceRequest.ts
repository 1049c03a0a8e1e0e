import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TracedWork, traced } from '../runtime/traced.ts';
import type { Exchange } from './exchange.ts';

const MAX_PATH_LENGTH = 256;

/**
 * Handles a request within a span that ends with its response. Continues the trace of the sender only if it is a
 * trusted proxy: other clients could choose what is recorded, or write into foreign traces.
 */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  options: { readonly isTrusted: boolean; readonly handle: () => void },
): void {
  const method = request.method ?? '';
  const { traceparent } = request.headers;
  const parent = options.isTrusted && typeof traceparent === 'string' ? traceparent : undefined;
  const describe = (): TracedWork => ({
    name: method,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'url.path': (request.url ?? '').split('?', 1)[0]!.slice(0, MAX_PATH_LENGTH),
      'assay.request_id': exchange.id,
    },
    parent,
  });
  void traced(
    describe,
    (work) =>
      new Promise<void>((resolve) => {
        response.once('close', () => {
          if (work !== undefined) complete(work);
          resolve();
        });
        options.handle();
      }),
  );

  function complete(work: TracedWork): void {
    const { route } = exchange;
    if (route !== undefined) {
      work.name = `${method} ${route}`;
      work.attributes['http.route'] = route;
    }
    if (!response.writableFinished) {
      work.attributes['error.type'] = 'aborted';
      return;
    }
    work.attributes['http.response.status_code'] = response.statusCode;
    work.failed = response.statusCode >= 500;
  }
}
