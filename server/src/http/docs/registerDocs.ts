import type { FastifyInstance } from 'fastify';
import { methodology } from '../../domain/risk/grade/methodology.ts';
import { methodologyPage } from '../../domain/risk/grade/methodologyPage.ts';
import { createAnswerBytes } from '../answerBytes.ts';
import { createOpenApi, type OpenApiOptions } from '../openapi.ts';
import { sendAnswer } from '../registerRoutes.ts';
import { CONTENT_SECURITY_POLICY, methodologyHtml, referencePage } from './page.ts';
import { registerDiscovery } from './registerDiscovery.ts';

/** It changes only with the server's version and configuration. */
const MAX_AGE = 300;

/**
 * GET /openapi.json, GET /docs: the same document as a page, and GET /docs/methodology: how risk is graded. Each is
 * made when first asked for.
 */
export function registerDocs(app: FastifyInstance, options: OpenApiOptions): void {
  const getDocument = once(() => createOpenApi(options));
  const getJson = once(() => {
    const body = Buffer.from(JSON.stringify(getDocument()));
    return createAnswerBytes({ body, maxAge: MAX_AGE });
  });
  const getPage = once(() => {
    return createAnswerBytes({
      body: Buffer.from(referencePage(getDocument())),
      maxAge: MAX_AGE,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': CONTENT_SECURITY_POLICY },
    });
  });
  const getMethodology = once(() => {
    return createAnswerBytes({
      body: Buffer.from(methodologyHtml(methodologyPage(methodology()))),
      maxAge: MAX_AGE,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': CONTENT_SECURITY_POLICY },
    });
  });
  app.get('/openapi.json', (request, reply) => sendAnswer(request, reply, getJson()));
  app.get('/docs', (request, reply) => sendAnswer(request, reply, getPage()));
  app.get('/docs/methodology', (request, reply) => sendAnswer(request, reply, getMethodology()));
  registerDiscovery(app, options, getDocument);
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
