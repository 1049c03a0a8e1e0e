import { Type } from 'typebox';
import type { OpenApi } from '../openapiDocument.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { inPath } from '../routeParameters.ts';
import { Text } from '../schemas.ts';
import { CONTENT_SECURITY_POLICY } from './frame.ts';
import { GUIDES, guidePage } from './guides.ts';
import { groupPage, overviewPage, shellOf } from './page.ts';

/** They change only with the server's version and configuration. */
const MAX_AGE = 300;

/** The API as a document and as a page, and the guides. */
export function docsRoutes(getDocument: () => OpenApi, urlOf: () => string): Route[] {
  const shell = () => shellOf(getDocument(), urlOf());
  return [
    {
      path: '/openapi.json',
      access: 'open',
      operationId: 'getOpenApi',
      summary: 'Get the OpenAPI document',
      description: 'Returns this API as OpenAPI 3.1.',
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
      summary: 'Open the docs',
      description:
        'Returns the start page of the docs: the rules of the API, and a list of all operations.',
      answer: async () => overviewPage(getDocument(), shell()),
    },
    {
      ...PAGE,
      path: '/docs/reference/{group}',
      operationId: 'getReferencePage',
      summary: 'Open a page of the reference',
      description: 'Returns the operations of a group as a web page.',
      parameters: [inPath('group', Type.String(), 'Tag of the operations.', 'vaults')],
      problems: [400, 404],
      async answer({ path }) {
        const pages = shell();
        const group = pages.groups.find(({ name }) => name === path.group);
        if (group === undefined) throw new NotFound(noSuch('page'));
        return groupPage(getDocument(), group, pages);
      },
    },
    {
      ...PAGE,
      path: '/docs/{page}',
      operationId: 'getGuide',
      summary: 'Open a guide',
      description:
        'Returns a guide as a web page: quick start, setup, payments, operations, and the formula of every value.',
      parameters: [
        inPath(
          'page',
          Type.Enum(GUIDES.map(({ name }) => name)),
          'Name of the guide.',
          GUIDES[0]!.name,
        ),
      ],
      problems: [400, 404],
      async answer({ path }) {
        const guide = GUIDES.find(({ name }) => name === path.page);
        if (guide === undefined) throw new NotFound(noSuch('page'));
        return guidePage(guide, shell());
      },
    },
  ];
}

/** The common part of all pages. */
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
