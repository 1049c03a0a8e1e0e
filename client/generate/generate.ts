import { exampleOf } from './examples.ts';
import { comment, createTypeWriter, type Names, pascal, type Schema } from './schemaTypes.ts';

/** The fields of the server's OpenAPI document that are read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: ApiOperation }>>;
  readonly components: { readonly schemas: { readonly Problem: Schema } };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string;
    readonly example?: unknown;
    readonly schema: Schema;
  }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

/** The generated files and their text. */
export interface Generated {
  readonly types: string;
  readonly actions: string;
  readonly paidActions: string;
}

const ANSWERS: Names = {
  listVaults: 'ListedVault',
  getVault: 'Vault',
  getApySeries: 'ApyTick',
  getTvlSeries: 'TvlTick',
  getSharePriceSeries: 'SharePriceTick',
  getSplitSeries: 'SplitTick',
  getAllocationSeries: 'AllocationTick',
  getWithdrawableSeries: 'WithdrawableTick',
  getExits: 'Exits',
  getExitTerms: 'ExitTerms',
  getYield: 'YieldBySource',
  getHolders: 'Holders',
  getGovernance: 'GovernancePage',
  getHistory: 'HistoryPage',
  getEvents: 'EventPage',
  getPendingRedeems: 'PendingRedeems',
  getPendingDeposits: 'PendingDeposits',
  getPerformance: 'Performance',
  getLedger: 'LedgerEntry',
  getLots: 'LotPage',
  getStatement: 'WalletStatement',
  getMovements: 'MovementPage',
  getAlerts: 'AlertList',
  riskMethodology: 'RiskMethodology',
  agentSchema: 'RiskSchema',
  agentSearch: 'SearchHit',
  agentNode: 'RiskNode',
  agentDependencies: 'RiskDependencies',
  agentNodes: 'RiskNode',
  agentDependenciesBatch: 'RiskDependencies',
  getStatus: 'Status',
  getLiveness: 'Liveness',
  getReadiness: 'Readiness',
  getOpenApi: 'OpenApiDocument',
  getPaidResources: 'PaidResources',
};

/** Names that replace those derived from the first use of a schema. */
const RENAMED: Names = {
  ListedVaultAssets: 'AssetPair',
  AssetPairBase: 'Asset',
  ListedVaultAsOf: 'AsOf',
  VaultStatsChain: 'VaultChainStats',
  VaultStatsPool: 'Pool',
  VaultExposure: 'Exposure',
  ExposureUnderlying: 'ExposureEntry',
  HistoryPageItem: 'HistoryItem',
  MovementPageItem: 'Movement',
  ExitsIncompleteChain: 'IncompleteChain',
  EventPageEvent: 'FeedEvent',
  LotPageItem: 'Lot',
  WalletStatementFamily: 'StatementFamily',
  StatementFamilyOpening: 'StatementBalance',
  StatementFamilyDeposits: 'StatementFlow',
  StatementFamilyEntry: 'StatementEntry',
  PendingRedeemsRedeem: 'PendingRedeem',
  PendingDepositsDeposit: 'PendingDeposit',
  SearchHitTvlUsd: 'LockedValueHit',
  SearchHitMarketCapUsd: 'AssetHit',
  RiskNodeRiskBreakdown: 'RiskReason',
  RiskDependenciesEdge: 'RiskEdge',
  RiskDependenciesNeighbor: 'RiskNeighbor',
};

const HEAD = `// Generated from the server's routes by generate/generate.ts; run \`npm test -- client/generate -u\` to update it.
`;

/** Parameter names that the client itself uses. */
const OWN_WORDS = ['signal', 'amounts', 'timeoutMs', 'headers', 'maxAmount', 'replaces'];

export function generate(document: ApiDocument): Generated {
  const writer = createTypeWriter(RENAMED);
  const operations = Object.entries(document.paths)
    .map(([path, { get }]) => ({ path, ...get, answer: answerOf(get) }))
    .filter(({ answer }) => answer !== undefined);
  const parameters = operations.map((operation) => parametersType(operation));
  const actions = operations.map(({ path, answer, ...operation }) => ({
    isPaid: '402' in operation.responses,
    text: actionText(operation, path, answer!),
  }));
  const problem = writer.typeOf(document.components.schemas.Problem, 'Problem');
  if (problem !== 'Problem') throw new Error('a problem has amounts');
  return {
    types: [HEAD, JSON_OBJECT, writer.text(), ...parameters].join('\n'),
    actions: actionsFile(
      actions.filter(({ isPaid }) => !isPaid),
      "import { action } from './action.ts';",
    ),
    paidActions: actionsFile(
      actions.filter(({ isPaid }) => isPaid),
      "import { paidAction } from './paidAction.ts';",
    ),
  };

  function actionText(operation: ApiOperation, path: string, answer: Schema): string {
    const { operationId } = operation;
    const name = ANSWERS[operationId];
    if (name === undefined) throw new Error(`say what ${operationId} answers, in generate.ts`);
    const type = writer.typeOf(answer, name);
    const [text, big] = ['string', 'bigint'].map((amount) =>
      type.replaceAll('<Amount>', `<${amount}>`),
    );
    const amounts = writer.amountsOf(answer);
    const query = operation.parameters
      .filter((one) => one.in === 'query')
      .map(({ name: of }) => of);
    // Left out, it is empty: every byte of the client counts.
    const names = amounts.length > 0 ? [query, amounts] : query.length > 0 ? [query] : [];
    const made = '402' in operation.responses ? 'paidAction' : 'action';
    const types = [`types.${pascal(operationId)}Parameters`, inTypes(text!), inTypes(big!)];
    return [
      comment(`${operation.summary}. ${operation.description}`, '', exampleOf(operation)),
      `export const ${operationId} = /* @__PURE__ */ ${made}<${types.join(', ')}>(\n`,
      `  '${path}',\n${names.map((some) => `  '${some.join(' ')}',\n`).join('')});\n`,
    ].join('');
  }
}

const JSON_OBJECT = `/** An object whose fields depend on what it describes. */
export type JsonObject = Readonly<Record<string, unknown>>;
`;

function actionsFile(actions: readonly { readonly text: string }[], own: string): string {
  const imports = `import type * as types from '../api/types.ts';\n${own}\n`;
  return [HEAD + imports, ...actions.map(({ text }) => text)].join('\n');
}

/** Returns the JSON schema of a 200; undefined for HTML pages and for routes without a 200. */
function answerOf({ responses }: ApiOperation): Schema | undefined {
  return responses['200']?.content?.['application/json']?.schema;
}

function parametersType({ operationId, parameters }: ApiOperation): string {
  const asked = parameters.filter((one) => one.in !== 'header');
  const taken = asked.find(({ name }) => OWN_WORDS.includes(name));
  if (taken) throw new Error(`${operationId} has a parameter ${taken.name}, which is the client's`);
  const writer = createTypeWriter({});
  const fields = asked.map(({ name, required, description, schema }) => {
    const type = writer.typeOf(schema, '');
    return `${comment(description, '  ')}  readonly ${name}${required ? '' : '?'}: ${type};\n`;
  });
  const name = `${pascal(operationId)}Parameters`;
  if (fields.length === 0) return `export type ${name} = object;\n`;
  return `export interface ${name} {\n${fields.join('')}}\n`;
}

/** Prefixes interface names for use in another file. */
function inTypes(type: string): string {
  return type.replaceAll(/\b[A-Z]\w*/g, 'types.$&');
}
