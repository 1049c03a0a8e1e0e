import type { FastifyInstance } from 'fastify';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { PREVIEW } from './docs/headTags.ts';
import { ICON } from './docs/look.ts';
import { favicon } from './pictures/favicon.ts';
import { preview } from './pictures/preview.ts';
import { sendAnswer } from './registerRoutes.ts';

/** A file that pages and previews of them load; not part of the API. */
export interface SiteFile {
  readonly path: string;
  readonly mediaType: string;
  make(): Promise<Buffer | string>;
}

export const PICTURES: readonly SiteFile[] = [
  { path: '/favicon.ico', mediaType: 'image/x-icon', make: () => favicon(ICON) },
  { path: `/${PREVIEW.path}`, mediaType: 'image/png', make: () => preview(ICON) },
];

/** Not readable for other origins. Their bytes are ready, so requests are not rate limited. */
const ACCESS = 'probe';
const MAX_AGE = 300;

/** Serves files whose bytes are created at the first request. */
export function registerFiles(app: FastifyInstance, files: readonly SiteFile[]): void {
  for (const { path, mediaType, make } of files) {
    let made: Promise<AnswerBytes> | undefined;
    const config = { access: ACCESS, route: path } as const;
    app.get(path, { config }, async (request, reply) => {
      made ??= make().then((body) => {
        return createAnswerBytes({ body, access: ACCESS, maxAge: MAX_AGE, mediaType });
      });
      await sendAnswer(request, reply, await made);
    });
  }
}
