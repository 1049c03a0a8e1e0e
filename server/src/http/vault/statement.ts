import type { Config } from '../../config/config.ts';
import {
  STATEMENT_FORMATS,
  statementFile,
} from '../../domain/wallet/accounting/export/statementFile.ts';
import type { Store } from '../../store/store.ts';
import { readParameters } from '../parameters.ts';
import type { Route, RouteRequest } from '../route.ts';
import { Text } from '../schemas.ts';
import { createStateReader } from './history.ts';
import { createScopes } from './historyScope.ts';
import { readStatement } from './readStatement.ts';
import { readStatementAsked } from './statementAsked.ts';
import {
  formatParameter,
  type StatementAnswer,
  statementExample,
  statementParameters,
  statementSchema,
} from './statementSchema.ts';

const DESCRIPTION = `Returns a statement of a calendar year for one wallet, or for several wallets of one owner: balances before and after, and all movements of shares in between, by type. Exact in base units.

- opening + deposits + transfersIn + rewards − exits − fees − transfersOut = closing, in shares; opening.cost plus the costs of all movements is closing.cost.
- Cost and results follow \`method\`, over all chains of a family and all wallets together. A transfer between the wallets, both sides in one log, does not count as a movement, and its lots do not change.
- USD values use the price at the time of the movement or balance, and are null without one.
- Movements appear in the ledger of a wallet at the same times, with the same shares and assets.`;

const FILE_DESCRIPTION =
  'Returns the movements of a statement as a CSV file. Amounts are in tokens with all their decimals. A cell that a spreadsheet would evaluate starts with an apostrophe. Times are in `timeZone`; for koinly, in UTC. In a journal, debits equal credits in each entry and currency. Chains that could not be read completely are listed only by /statement.';

export interface StatementDeps {
  readonly config: Config;
  readonly store: Store;
}

/** GET /v1/users/{walletAddress}/statement and statement.csv */
export function statementRoutes(deps: StatementDeps): Route[] {
  const { config } = deps;
  const getStates = createStateReader(deps);
  const scopes = createScopes(config);

  async function answer(request: RouteRequest): Promise<StatementAnswer> {
    const asked = readStatementAsked(request, config);
    const statement = await readStatement(deps, asked, request.now);
    const { incompleteChains } = scopes(await getStates(request.now), asked.families, undefined);
    return { ...statement, incompleteChains: [...incompleteChains] };
  }

  const common = {
    access: 'open',
    tag: 'wallets',
    problems: [400, 404, 429],
    maxAge: 5,
  } as const;
  return [
    {
      ...common,
      path: '/v1/users/{walletAddress}/statement',
      operationId: 'getStatement',
      summary: 'Get the statement of a year',
      description: DESCRIPTION,
      parameters: statementParameters,
      response: statementSchema,
      responseExample: statementExample,
      answer,
    },
    {
      ...common,
      path: '/v1/users/{walletAddress}/statement.csv',
      operationId: 'getStatementFile',
      summary: 'Get the statement of a year as a CSV file',
      description: FILE_DESCRIPTION,
      parameters: [...statementParameters, formatParameter],
      response: Text('The file.'),
      responseExample: 'Date,Sent Amount,Sent Currency\r\n',
      mediaType: 'text/csv',
      async answer(request) {
        const format = readParameters(
          (parameters) => parameters.choice('format', STATEMENT_FORMATS) ?? 'journal',
          request,
        );
        const { zone } = readStatementAsked(request, config);
        const { families } = await answer(request);
        return statementFile(families, format, zone);
      },
    },
  ];
}
