import type { ApiOperation } from './generate.ts';

/** Parameters to use instead of the document's examples. */
const ASKED: Readonly<Record<string, string>> = {
  getHistory: "{ family: 'svcusd', period: '1d', limit: 20 }",
  getApySeries: "{ slug: 'svcusd', interval: 'day' }",
  agentNode: "{ nodeId: 'chain:base', maxAmount: 50_000n }",
  agentDependencies: '{ nodeId }',
  agentDependenciesBatch: '{ nodeIds }',
};

/** Lines that must run before the call. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  agentDependencies: [
    "const found = await agentSearch(client, payer, { q: 'alpha', label: 'Pool', limit: 1 });",
    "const nodeId = found.data[0]?.id ?? '';",
  ],
  agentDependenciesBatch: [
    "const found = await agentSearch(client, payer, { q: 'alpha', label: 'Pool', limit: 2 });",
    "const nodeIds = found.data.map(({ id }) => id).join(',');",
  ],
};

/** Returns example code that calls an action. A test runs it against a server. */
export function exampleOf({ operationId, parameters, responses }: ApiOperation): readonly string[] {
  const isPaid = '402' in responses;
  const asked = ASKED[operationId] ?? requiredOf(parameters);
  const values = [isPaid ? 'client, payer' : 'client', asked].filter((text) => text !== '');
  const found = isPaid ? '{ data, payment }' : 'answer';
  return [
    ...(BEFORE[operationId] ?? []),
    `const ${found} = await ${operationId}(${values.join(', ')});`,
    `console.log(${isPaid ? 'data, payment?.amount' : 'answer'});`,
  ];
}

function requiredOf(parameters: ApiOperation['parameters']): string {
  const fields = parameters
    .filter(({ required, in: place }) => required && place !== 'header')
    .map(({ name, example }) => {
      if (example === undefined) throw new Error(`${name} has no example`);
      return `${name}: ${typeof example === 'string' ? `'${example}'` : String(example)}`;
    });
  return fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
}
