import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config, HttpConfig } from '../config/config.ts';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import type { DashboardNodes } from './dashboardNodes.ts';
import type { DashboardOverview } from './dashboardOverview.ts';
import { createDashboardSettings, type DashboardSettings } from './dashboardSettings.ts';
import { descriptionTags } from './docs/headTags.ts';
import { wantsPage } from './docs/problemPage.ts';
import type { FamilyPageData } from './familyPageData.ts';
import { NotFound, noSuch } from './problem.ts';
import { sendAnswer } from './registerRoutes.ts';

export interface DashboardData {
  readonly overview: DashboardOverview;
  readonly nodes: DashboardNodes;
  readonly pools: () => Promise<AnswerBytes>;
  /** By the name of the part. */
  readonly family: ReadonlyMap<string, FamilyPageData>;
}

/** The built pages as bytes. */
export interface Dashboard {
  readonly index: AnswerBytes;
  /** The same document for a path without a page; it shows that. */
  readonly unknownPage: Buffer;
  /** By name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, AnswerBytes>;
  readonly settings: DashboardSettings;
  /** What only the pages need of the store; absent: a server without one. */
  readonly data?: DashboardData | undefined;
}

/** Where scripts/build.mjs writes them, relative to the sources and to the build. */
const FOLDER = new URL('../../dist/dashboard/', import.meta.url);

/** Every page is the same document, which reads its own URL. Other paths return 404. */
const PAGES = [
  '/',
  '/family/:slug',
  '/wallet',
  '/wallet/:address',
  '/risk',
  '/risk/:id',
  '/alerts',
  '/status',
];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

const DESCRIBED = {
  title: 'Assay',
  description:
    'TVL, APY, share prices, holders, and risk of vault families, with the state of their chains.',
};

/** Allows only the dashboard's own files and server: nothing inline, nothing third-party. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
/** Not readable for other origins. Their bytes are ready, so requests are not rate limited. */
const ACCESS = 'probe';
const SETTINGS_PATH = '/dashboard.json';
const OVERVIEW_PATH = '/dashboard/families.json';
const POOLS_PATH = '/dashboard/pools.json';
const NODES_PATH = '/dashboard/nodes/:slug';
const YEAR_SECONDS = 31_536_000;

/** Undefined if it was not built: the API works without it. */
export async function loadDashboard(
  config: Pick<Config, 'payments' | 'demo'> & { readonly http?: Pick<HttpConfig, 'publicUrl'> },
  folder: URL = FOLDER,
): Promise<Dashboard | undefined> {
  const built = await readFile(new URL('index.html', folder), 'utf8').catch(() => undefined);
  if (built === undefined) return undefined;
  const tags = descriptionTags({ ...DESCRIBED, base: config.http?.publicUrl ?? '' });
  const index = Buffer.from(built.replace('</head>', `${tags.text}\n</head>`));
  const names = await readdir(new URL('assets/', folder));
  const assets = names.map(async (name): Promise<[string, AnswerBytes]> => {
    const body = await readFile(new URL(`assets/${name}`, folder));
    return [name, assetBytes(name, body)];
  });
  return {
    index: createAnswerBytes({
      body: index,
      access: ACCESS,
      maxAge: 1,
      mediaType: 'text/html',
      headers: { ...HEADERS, 'cache-control': 'no-cache' },
    }),
    unknownPage: index,
    assets: new Map(await Promise.all(assets)),
    settings: createDashboardSettings(config),
  };
}

function assetBytes(name: string, body: Buffer): AnswerBytes {
  return createAnswerBytes({
    body,
    access: ACCESS,
    maxAge: YEAR_SECONDS,
    mediaType: TYPES[extname(name)] ?? 'application/octet-stream',
    headers: { ...HEADERS, 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` },
  });
}

/** The pages, their files, and the server settings that they need. */
export function registerDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  const { index, assets, settings, data } = dashboard;
  const files = [
    ...PAGES.map((page) => [page, openApiPath(page), index] as const),
    // One label for all of them: their names change with each build.
    ...[...assets].map(([name, bytes]) => [`/assets/${name}`, '/assets/{name}', bytes] as const),
  ];
  for (const [path, route, bytes] of files) {
    const config = { access: ACCESS, route } as const;
    app.get(path, { config }, (request, reply) => sendAnswer(request, reply, bytes));
  }
  const config = { access: ACCESS, route: SETTINGS_PATH } as const;
  app.get(SETTINGS_PATH, { config }, (request, reply) => {
    reply.header('cache-control', 'no-store').send(settings(request.raw));
  });
  if (data === undefined) return;
  app.get(
    OVERVIEW_PATH,
    { config: { access: ACCESS, route: OVERVIEW_PATH } },
    async (request, reply) => sendAnswer(request, reply, await data.overview()),
  );
  app.get(POOLS_PATH, { config: { access: ACCESS, route: POOLS_PATH } }, async (request, reply) =>
    sendAnswer(request, reply, await data.pools()),
  );
  app.get<{ Params: { slug: string } }>(
    NODES_PATH,
    { config: { access: ACCESS, route: openApiPath(NODES_PATH) } },
    async (request, reply) => sendAnswer(request, reply, await data.nodes(request.params.slug)),
  );
  for (const [part, read] of data.family) {
    const path = `/dashboard/${part}/:slug`;
    const config = { access: ACCESS, route: openApiPath(path) } as const;
    app.get<{ Params: { slug: string } }>(path, { config }, async (request, reply) => {
      const bytes = await read(request.params.slug);
      if (bytes === undefined) throw new NotFound(noSuch('vault family'));
      return sendAnswer(request, reply, bytes);
    });
  }
}

/** Paths of the API: a browser gets the same response there as a program. */
const NOT_PAGES = /^\/(v1|api|assets|health|docs)(\/|$)/;

/** A browser that requests a page gets a page, even for an unknown path. */
export function sendUnknownPage(
  request: FastifyRequest,
  reply: FastifyReply,
  dashboard: Dashboard | undefined,
): boolean {
  if (dashboard === undefined || !wantsPage(request) || NOT_PAGES.test(request.url)) return false;
  reply.code(404).headers({
    ...HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  reply.send(dashboard.unknownPage);
  return true;
}

function openApiPath(page: string): string {
  return page.replaceAll(/:(\w+)/g, '{$1}');
}
