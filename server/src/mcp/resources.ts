import { type Client, riskMethodology } from '@assay/client';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Methodology } from '../risk/methodology/methodology.ts';
import { methodologyPage } from '../risk/methodology/methodologyPage.ts';
import type { ApiOperations } from './apiOperations.ts';
import { readSeries, readSeriesUri, SERIES_TEMPLATE } from './series.ts';

/** Data that is too long for a tool result. */
export function registerResources(
  server: McpServer,
  { client, operations }: { readonly client: Client; readonly operations: ApiOperations },
): void {
  if (operations.has('riskMethodology')) {
    server.registerResource(
      'methodology',
      'assay://methodology',
      {
        title: 'How risk is graded',
        description:
          'The grading method: factors, weights, floors, and a comparison with real losses.',
        mimeType: 'text/markdown',
      },
      async ({ href: uri }, { mcpReq: { signal } }) => {
        const method = (await riskMethodology(client, { signal })) as unknown as Methodology;
        return { contents: [{ uri, mimeType: 'text/markdown', text: methodologyPage(method) }] };
      },
    );
  }
  server.registerResource(
    'series',
    new ResourceTemplate(SERIES_TEMPLATE, { list: undefined }),
    {
      title: 'A complete series of a vault family',
      description:
        'figure is apy, tvl, or price; interval is raw, hour, or day; from and to are dates, or - for an open end.',
      mimeType: 'application/json',
    },
    async (uri, _variables, { mcpReq: { signal } }) => {
      const asked = readSeriesUri(uri);
      if (asked === undefined) throw new Error(`there is no series ${uri.href}`);
      const text = JSON.stringify(await readSeries(client, asked, signal));
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    },
  );
}
