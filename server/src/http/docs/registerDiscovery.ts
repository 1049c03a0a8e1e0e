import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { createAnswerBytes } from '../answerBytes.ts';
import type { OpenApiOptions } from '../openapi.ts';
import type { OpenApi } from '../openapiDocument.ts';
import { sendAnswer } from '../registerRoutes.ts';
import { llmsText, wellKnown } from './discovery.ts';

/** It changes only with the server's version and configuration. */
const MAX_AGE = 300;
/** As it stands in the file, which speaks of the demo. */
const DEMO_URL = 'http://127.0.0.1:8080';

const skill = new URL('../../../SKILL.md', import.meta.url);

/** What agents and directories look for: GET /.well-known/x402, GET /llms.txt and GET /SKILL.md. */
export function registerDiscovery(
  app: FastifyInstance,
  options: OpenApiOptions,
  getDocument: () => OpenApi,
): void {
  const { routes, offer } = options;
  const configured = offer?.publicUrl ?? options.publicUrl;
  serve('/.well-known/x402', 'application/json; charset=utf-8', (base) =>
    JSON.stringify(wellKnown(offer === undefined ? [] : routes, base)),
  );
  serve('/llms.txt', 'text/plain; charset=utf-8', (base) => llmsText(getDocument(), base));
  serve('/SKILL.md', 'text/markdown; charset=utf-8', (base) =>
    readFileSync(skill, 'utf8').replaceAll(DEMO_URL, base),
  );

  function serve(path: string, contentType: string, write: (base: string) => string): void {
    app.get(path, (request, reply) => {
      const body = Buffer.from(write(baseOf(request)));
      return sendAnswer(request, reply, createAnswerBytes({ body, maxAge: MAX_AGE, contentType }));
    });
  }

  /** Without a public URL this machine is asked by a name of its own; any other is a claim of the client's. */
  function baseOf({ headers: { host = '' } }: FastifyRequest): string {
    if (configured !== undefined) return configured;
    return isLoopbackHost(host.replace(/:\d+$/, '')) ? `http://${host}` : '';
  }
}
