import { Type } from 'typebox';
import type { OpenApi } from '../openapiDocument.ts';
import { NotFound } from '../problem.ts';
import type { Route } from '../route.ts';
import { inPath } from '../routeParameters.ts';
import { Text } from '../schemas.ts';
import { CONTENT_SECURITY_POLICY } from './frame.ts';
import { GUIDES, guidePage } from './guides.ts';
import { referencePage } from './page.ts';

/** They change only with the server's version and configuration. */
const MAX_AGE = 300;

/** The interface as a document and as a page, and the guides. */
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
      path: '/docs/{page}',
      operationId: 'getGuide',
      summary: 'The guides',
      description:
        'A page to read: how to begin, to run it, to pay, to operate it, and how every figure is made.',
      parameters: [
        inPath('page', Type.Enum(GUIDES.map(({ name }) => name)), 'Which one.', GUIDES[0]!.name),
      ],
      problems: [400, 404],
      async answer({ path }) {
        const guide = GUIDES.find(({ name }) => name === path.page);
        if (guide === undefined) throw new NotFound('there is no such page; /docs lists them');
        return guidePage(guide);
      },
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
