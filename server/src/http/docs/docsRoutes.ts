import { Type } from 'typebox';
import { methodology } from '../../domain/risk/grade/methodology.ts';
import { methodologyPage } from '../../domain/risk/grade/methodologyPage.ts';
import type { OpenApi } from '../openapiDocument.ts';
import type { Route } from '../route.ts';
import { Text } from '../schemas.ts';
import { CONTENT_SECURITY_POLICY, methodologyHtml, referencePage } from './page.ts';

/** They change only with the server's version and configuration. */
const MAX_AGE = 300;

/** The interface as a document and as a page, and how risk is graded. */
export function docsRoutes(getDocument: () => OpenApi): Route[] {
  return [
    {
      path: '/openapi.json',
      access: 'open',
      operationId: 'getOpenApi',
      summary: 'This document',
      description: 'The interface as OpenAPI 3.1.',
      tag: 'service',
      parameters: [],
      response: Type.Object({}, { description: 'An OpenAPI 3.1 document.' }),
      responseExample: { openapi: '3.1.0' },
      problems: [],
      maxAge: MAX_AGE,
      fixed: true,
      answer: async () => getDocument(),
    },
    {
      ...PAGE,
      path: '/docs',
      operationId: 'getReference',
      summary: 'The reference page',
      description: 'This document as a page to read.',
      answer: async () => referencePage(getDocument()),
    },
    {
      ...PAGE,
      path: '/docs/methodology',
      operationId: 'getMethodologyPage',
      summary: 'How risk is graded, as a page',
      description: 'The grading method as a page to read; /risk/methodology has the same as data.',
      answer: async () => methodologyHtml(methodologyPage(methodology())),
    },
  ];
}

/** What all pages have in common. */
const PAGE = {
  access: 'open',
  tag: 'service',
  parameters: [],
  response: Text('An HTML page.'),
  responseExample: '<!doctype html>',
  mediaType: 'text/html',
  problems: [],
  maxAge: MAX_AGE,
  fixed: true,
  headers: () => ({ 'content-security-policy': CONTENT_SECURITY_POLICY }),
} as const satisfies Partial<Route>;
