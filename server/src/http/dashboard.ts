import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { createDashboardSettings, type DashboardSettings } from './dashboardSettings.ts';
import { sendAnswer } from './registerRoutes.ts';

/** The built pages as bytes. */
export interface Dashboard {
  readonly index: AnswerBytes;
  /** By their names, which change with what is in them. */
  readonly assets: ReadonlyMap<string, AnswerBytes>;
  readonly settings: DashboardSettings;
}

/** Where scripts/build.mjs puts them, seen from the sources and from what is built of these. */
const FOLDER = new URL('../../dist/dashboard/', import.meta.url);

/** Every page is the same document, which looks at its address. What is not named here stays a 404. */
const PAGES = ['/', '/family/:slug', '/wallet', '/wallet/:address', '/risk', '/status'];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Its own files and its own server: nothing inline, nothing from elsewhere. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
/** Never for pages of other origins. Their bytes are ready, so nobody is counted. */
const ACCESS = 'probe';
const YEAR_SECONDS = 31_536_000;

/** Undefined where it was not built: the API answers without it. */
export async function loadDashboard(
  config: Pick<Config, 'payments' | 'demo'>,
  folder: URL = FOLDER,
): Promise<Dashboard | undefined> {
  const index = await readFile(new URL('index.html', folder)).catch(() => undefined);
  if (index === undefined) return undefined;
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

/** The pages, their files, and what they must know of this server. */
export function registerDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  const { index, assets, settings } = dashboard;
  const config = { access: ACCESS } as const;
  const files = [
    ...PAGES.map((page) => [page, index] as const),
    ...[...assets].map(([name, bytes]) => [`/assets/${name}`, bytes] as const),
  ];
  for (const [path, bytes] of files) {
    app.get(path, { config }, (request, reply) => sendAnswer(request, reply, bytes));
  }
  app.get('/dashboard.json', { config }, (request, reply) => {
    reply.header('cache-control', 'no-store').send(settings(request.raw));
  });
}
