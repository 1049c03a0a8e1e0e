import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../problem.ts';
import { contents } from './contents.ts';
import { CONTENT_SECURITY_POLICY, framed } from './frame.ts';
import { html } from './html.ts';
import type { Shell } from './page.ts';

/** Whether a request is a browser's for a page. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
}

/** Sends a problem as a page. */
export function sendProblemPage(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  shell: Shell,
): void {
  const { status, title, detail, headers } = problem;
  const [path] = request.url.split('?');
  const depth = path!.split('/').length - 2;
  const root = depth === 0 ? './' : '../'.repeat(depth);
  const words = status === 404 ? 'Page not found' : title;
  reply.code(status).headers({
    ...headers,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(problem.retryAfterSeconds !== undefined && { 'retry-after': problem.retryAfterSeconds }),
  });
  reply.send(
    framed({
      title: words,
      description: `Error ${status}.`,
      root,
      base: shell.base,
      navigation: contents(shell.groups, root, ''),
      content: html`<h1>${words}</h1>
${detail === undefined ? [] : [html`<p>${sentence(detail)}</p>`]}
<p><a href="${root}docs">All docs</a></p>`,
    }),
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace('..', '.');
}
