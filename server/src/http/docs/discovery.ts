import type { OpenApi, Operation } from '../openapiDocument.ts';
import { isPaidRoute } from '../paid/paidRoute.ts';
import type { Route } from '../route.ts';

/** The sold resources in the format of directories. Each of these URLs returns 402. */
export function wellKnown(routes: readonly Route[], base: string) {
  return {
    version: 1,
    x402Version: 2,
    resources: routes.filter(isPaidRoute).map((route) => base + examplePath(route)),
  };
}

function examplePath({ path, parameters }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return parameters.find((one) => one.name === name)?.example ?? name;
  });
}

/** The API in one page of plain text for language models (llmstxt.org). */
export function llmsText(document: OpenApi, base: string): string {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, ...get }));
  const isPaid = (one: Operation) => one['x-payment-info'] !== undefined;
  const isToday = (one: Operation) => !one.tags.includes('previous');
  const sections = [
    ['Vault data and service, free', operations.filter((one) => isToday(one) && !isPaid(one))],
    ['Risk data, paid per request', operations.filter(isPaid)],
  ] as const;
  return [
    '# Assay',
    '> Data of tokenized vaults (TVL, APY, share price, history, pending redemptions, wallet performance), free; and risk grades of pools, assets, protocols, and chains, paid per request with HTTP 402 (x402 version 2). All requests are GET and need no key.',
    [
      '- Amounts are strings in base units, rates are fractions (0.045 is 4.5%), times are UTC, and null means unknown.',
      '- Errors are application/problem+json and state the fix.',
    ].join('\n'),
    '## Documents',
    [
      `- [OpenAPI](${base}/openapi.json): every operation with its parameters, fields, and prices`,
      `- [Skill](${base}/SKILL.md): how to use this server as an agent, step by step`,
      `- [Agents](${base}/docs/agents): MCP tools, payments, and budgets`,
      `- [Reference](${base}/docs): every operation as a web page`,
      `- [Methodology](${base}/docs/methodology): how risk is graded`,
      `- [Paid resources](${base}/.well-known/x402): every paid URL`,
    ].join('\n'),
    ...sections.flatMap(([title, listed]) =>
      listed.length === 0 ? [] : [`## ${title}`, listed.map(line).join('\n')],
    ),
    '',
  ].join('\n\n');

  function line({ path, summary, ...operation }: Operation & { readonly path: string }): string {
    const info = operation['x-payment-info'];
    return `- \`GET ${path}\`${priceText(info)}: ${summary}`;
  }
}

function priceText(info: Operation['x-payment-info']): string {
  if (info === undefined) return '';
  const { price } = info;
  return price.mode === 'fixed' ? ` (${price.amount} USD)` : ` (${price.min} USD per id)`;
}
