import { type TSchema, Type } from 'typebox';
import { ChainId, DateTime, List, Nullable, OneOf, Shape, Slug, Text } from './schemas.ts';

/** A route of the server itself, for the document: see health.ts and docs/registerDocs.ts. */
export interface ServiceOperation {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly response: TSchema;
  readonly responseExample: unknown;
  /** Whether requests for it count against the client's limit. */
  readonly limited?: boolean;
  /** Whether it has a tag, so that a client can ask for news only. */
  readonly tagged?: boolean;
  /** application/json when absent. */
  readonly contentType?: string;
}

const STATES = ['live', 'syncing', 'unreachable', 'unconfigured'] as const;
const STATES_WORDS =
  'live: followed at its head. syncing: the past is being read. unreachable: its RPC does not answer, or the chain stands still. unconfigured: it has no RPC URL.';
const state = OneOf([...STATES], STATES_WORDS);
/** Readiness asks for the past, status for the present as well. */
const stateNow = OneOf(
  [...STATES, 'stale'],
  `${STATES_WORDS} stale: no news of it for minutes: no indexer runs.`,
);
const sourceState = OneOf(
  ['current', 'syncing', 'held-back', 'unreachable', 'unconfigured'],
  'current: all that the chain has shown so far is indexed. syncing: not yet. held-back: something is wrong with it alone, which reason tells; what was indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL.',
);
const reason = Nullable(
  Text('What is wrong with it.', 'the share-price oracle does not answer'),
  'What holds it back and what to do; null unless it is held back.',
);
const since = Nullable(DateTime('Since when.'), 'Since when; null unless it is held back.');
const chainName = Text("The network's name.", 'base');
const block = (description: string) =>
  Nullable(
    Text(`${description} A block number in decimal digits.`, '30000000'),
    `${description} null when unknown.`,
  );

export const SERVICE: readonly ServiceOperation[] = [
  {
    path: '/v1/status',
    operationId: 'getStatus',
    summary: 'How far each chain is',
    limited: true,
    description:
      'Every configured chain with its head, what is indexed of it, its last error, and how far each family and each price feed is there. Never cached.',
    response: Shape(
      {
        chains: List(
          Shape(
            {
              chainId: ChainId('The chain.'),
              name: chainName,
              state: stateNow,
              head: block('Newest block that the node knows.'),
              finalized: block('Newest block that cannot be reorganised.'),
              indexedBlock: block('Newest block that is indexed.'),
              lagSeconds: Nullable(
                Type.Number({ minimum: 0, description: 'In seconds.', examples: [4] }),
                'Age of the newest indexed block, in seconds; null when none is indexed.',
              ),
              lastError: Nullable(
                Shape(
                  {
                    message: Text('What is wrong.', 'rpc 1 did not answer in time'),
                    since: DateTime('Since when.'),
                  },
                  'What keeps the chain from being read.',
                ),
                'null while nothing is wrong.',
              ),
              updatedAt: Nullable(
                DateTime('When this was last true.'),
                'null before the first look at the chain.',
              ),
              families: List(
                Shape(
                  {
                    family: Slug('Slug of the vault family.'),
                    state: sourceState,
                    reason,
                    since,
                  },
                  'A vault family on this chain.',
                ),
                'Every family that lives on this chain. One that is held back holds back nobody else; in incompleteChains of other routes its chain counts as syncing.',
              ),
              feeds: List(
                Shape(
                  {
                    feed: Text('Name of the feed.', 'usdc-usd'),
                    state: sourceState,
                    reason,
                    since,
                  },
                  'A price feed that is read from this chain.',
                ),
                'Every price feed that is read from this chain.',
              ),
            },
            'One chain.',
          ),
          'Every configured chain, in the order of the configuration.',
        ),
        version: Text('The version of the server.', '0.1.0'),
      },
      'The state of the chains.',
    ),
    responseExample: {
      chains: [
        {
          chainId: 8453,
          name: 'base',
          state: 'live',
          head: '30000004',
          finalized: '29999940',
          indexedBlock: '30000004',
          lagSeconds: 2,
          lastError: null,
          updatedAt: '2026-07-01T12:00:00.000Z',
          families: [{ family: 'svcusd', state: 'current', reason: null, since: null }],
          feeds: [{ feed: 'usdc-usd', state: 'current', reason: null, since: null }],
        },
      ],
      version: '0.1.0',
    },
  },
  {
    path: '/health/live',
    operationId: 'getLiveness',
    summary: 'Whether the process answers',
    description: 'Says nothing of the database or the chains.',
    response: Shape(
      { status: Type.Literal('live', { description: 'Always live.' }) },
      'It answers.',
    ),
    responseExample: { status: 'live' },
  },
  {
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether requests can be served',
    description:
      '503 while the past of a chain is being read for the first time, or while the database is away. A chain that cannot be reached holds nobody back.',
    response: Shape(
      {
        status: Type.Literal('ready', { description: 'Always ready.' }),
        chains: List(
          Shape(
            {
              chainId: ChainId('The chain.'),
              name: chainName,
              state,
              backfilled: Type.Boolean({ description: 'Whether its past was read once.' }),
            },
            'One chain.',
          ),
          'Every configured chain.',
        ),
      },
      'Requests can be served.',
    ),
    responseExample: {
      status: 'ready',
      chains: [{ chainId: 8453, name: 'base', state: 'live', backfilled: true }],
    },
  },
  {
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    limited: true,
    tagged: true,
    description: 'The interface as OpenAPI 3.1.',
    response: Type.Object({}, { description: 'An OpenAPI 3.1 document.' }),
    responseExample: { openapi: '3.1.0' },
  },
  {
    path: '/docs',
    operationId: 'getReference',
    summary: 'The reference page',
    limited: true,
    tagged: true,
    description: 'This document as a page to read.',
    response: Type.String({ description: 'An HTML page.' }),
    responseExample: '<!doctype html>',
    contentType: 'text/html',
  },
  {
    path: '/docs/methodology',
    operationId: 'getMethodologyPage',
    summary: 'How risk is graded, as a page',
    limited: true,
    tagged: true,
    description: 'The grading method as a page to read; /risk/methodology has the same as data.',
    response: Type.String({ description: 'An HTML page.' }),
    responseExample: '<!doctype html>',
    contentType: 'text/html',
  },
  {
    path: '/.well-known/x402',
    operationId: 'getPaidResources',
    summary: 'What is sold here',
    limited: true,
    tagged: true,
    description:
      'A URL for each paid operation, for directories; each answers 402 with its price and the schemas of request and answer. A facilitator service lists what is paid through it; nobody else does.',
    response: Shape(
      {
        version: Type.Literal(1, { description: 'Version of this document.' }),
        x402Version: Type.Literal(2, { description: 'Version of the payment protocol.' }),
        resources: List(
          Text('A URL that answers 402.', 'https://api.example.com/api/v1/agent/search'),
          'One for each paid operation; empty where nothing is sold.',
        ),
      },
      'The paid resources.',
    ),
    responseExample: {
      version: 1,
      x402Version: 2,
      resources: ['https://api.example.com/api/v1/agent/search'],
    },
  },
  {
    path: '/llms.txt',
    operationId: 'getLlmsText',
    summary: 'The interface in a page for language models',
    limited: true,
    tagged: true,
    description: 'What there is, what it costs and where to read more (llmstxt.org).',
    response: Type.String({ description: 'Plain text.' }),
    responseExample: '# Assay',
    contentType: 'text/plain',
  },
  {
    path: '/SKILL.md',
    operationId: 'getSkill',
    summary: 'How an agent uses this server',
    limited: true,
    tagged: true,
    description: 'A skill for agents: what to ask for, in which order, and how to pay.',
    response: Type.String({ description: 'Markdown with a head of name and description.' }),
    responseExample: '---\nname: assay\n---',
    contentType: 'text/markdown',
  },
];
