import type { OpenApi, Operation } from '../openapiDocument.ts';
import { isPaidRoute } from '../paid/paidRoute.ts';
import type { Route } from '../route.ts';

/** What is sold here, as directories of paid resources read it. Each of these URLs answers 402. */
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

/** The interface in one page of plain text for language models (llmstxt.org). */
export function llmsText(document: OpenApi, base: string): string {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, ...get }));
  const isPaid = (one: Operation) => one['x-payment-info'] !== undefined;
  const isToday = (one: Operation) => !one.tags.includes('previous');
  const sections = [
    ['Vault data and service, free', operations.filter((one) => isToday(one) && !isPaid(one))],
    ['Risk data, paid per query', operations.filter(isPaid)],
  ] as const;
  return [
    '# Assay',
    '> Figures of tokenised vaults (TVL, APY, share price, history, pending redemptions, performance of wallets), free; and graded risk data of pools, assets, protocols and chains, paid per query by HTTP 402 (x402, version 2). Everything is read with GET and needs no key.',
    [
      '- Amounts are strings of base units, rates are fractions (0.045 is 4.5 %), times are UTC, null is not known.',
      '- Errors are application/problem+json and say what to change.',
    ].join('\n'),
    '## Documents',
    [
      `- [OpenAPI](${base}/openapi.json): every operation with its parameters, fields and prices`,
      `- [Skill](${base}/SKILL.md): how an agent uses this server, step by step`,
      `- [Agents](${base}/docs/agents): tools (MCP), payments and budgets`,
      `- [Reference](${base}/docs): every operation for people`,
      `- [Methodology](${base}/docs/methodology): how risk is graded`,
      `- [What is sold](${base}/.well-known/x402): every paid resource`,
    ].join('\n'),
    ...sections.flatMap(([title, listed]) =>
      listed.length === 0 ? [] : [`## ${title}`, listed.map(line).join('\n')],
    ),
    '',
  ].join('\n\n');

  function line({ path, summary, ...operation }: Operation & { readonly path: string }): string {
    const info = operation['x-payment-info'];
    const price = info === undefined ? '' : ` (${info.price.amount} USD)`;
    return `- \`GET ${path}\`${price}: ${summary}`;
  }
}
