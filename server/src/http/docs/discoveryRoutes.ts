import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { OpenApi } from '../openapiDocument.ts';
import type { Route } from '../route.ts';
import { List, Shape, Text } from '../schemas.ts';
import { llmsText, wellKnown } from './discovery.ts';

/** The server URL in the file, which is the demo's. */
const DEMO_URL = 'http://127.0.0.1:8080';
const SKILL = new URL('../../../SKILL.md', import.meta.url);

const paidResources = Shape(
  {
    version: Type.Literal(1, { description: 'Version of this document.' }),
    x402Version: Type.Literal(2, { description: 'Version of the payment protocol.' }),
    resources: List(
      Text('A URL that returns 402.', 'https://api.example.com/api/v1/agent/search'),
      'One per paid operation; empty if nothing is sold.',
    ),
  },
  'The paid resources.',
);

/** The documents that agents and directories look for. `urlOf` returns the URL of the API once it listens. */
export function discoveryRoutes(
  getRoutes: () => readonly Route[],
  getDocument: () => OpenApi,
  urlOf: () => string,
): Route[] {
  return [
    {
      ...DOCUMENT,
      path: '/.well-known/x402',
      operationId: 'getPaidResources',
      summary: 'List the paid resources',
      description:
        'Returns a URL for each paid operation, for directories. Each URL returns 402 with its price and the schemas of request and response. Directories list only sellers whose payments go through a facilitator service with a directory.',
      response: paidResources,
      responseExample: {
        version: 1,
        x402Version: 2,
        resources: ['https://api.example.com/api/v1/agent/search'],
      },
      answer: async () => wellKnown(getRoutes(), urlOf()),
    },
    {
      ...DOCUMENT,
      path: '/llms.txt',
      operationId: 'getLlmsText',
      summary: 'The API in one page for language models',
      description:
        'Describes what the API offers, what it costs, and where to read more (llmstxt.org).',
      response: Text('Plain text.'),
      responseExample: '# Assay',
      mediaType: 'text/plain',
      answer: async () => llmsText(getDocument(), urlOf()),
    },
    {
      ...DOCUMENT,
      path: '/SKILL.md',
      operationId: 'getSkill',
      summary: 'Instructions for agents',
      description: 'A skill for agents: what to request, in which order, and how to pay.',
      response: Text('Markdown that starts with a name and a description.'),
      responseExample: '---\nname: assay\n---',
      mediaType: 'text/markdown',
      answer: async () => (await readFile(SKILL, 'utf8')).replaceAll(DEMO_URL, urlOf()),
    },
  ];
}

/** They change only with the server's version and configuration. */
const DOCUMENT = {
  access: 'open',
  tag: 'service',
  parameters: [],
  problems: [],
  maxAge: 300,
  fixed: true,
} as const satisfies Partial<Route>;
