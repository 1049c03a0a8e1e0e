import { Type } from 'typebox';
import { RISK_LISTS, type RiskListName } from '../domain/risk/riskLists.ts';
import { mapping, whole } from './schemaFields.ts';

export const RISK_REFRESH_HOURS = 24;

const list = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      // A provider may require its key in the URL.
      writeOnly: true,
      description,
      errorMessage: 'must be a URL that starts with http:// or https://, or the path of a file',
      examples: [example],
    }),
  );

type Lists = Record<RiskListName, ReturnType<typeof list>>;

const sources = mapping(
  Object.fromEntries(
    Object.entries(RISK_LISTS).map(([name, { what, url }]) => [name, list(what, url)]),
  ) as Lists,
  "Public lists in DefiLlama's format, each a URL or a file. Without any, the graph has only the included catalog and the families.",
);

export const risk = mapping(
  {
    curated: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A YAML file of facts that override all others, read when it changes.',
        errorMessage: 'must be the path of a YAML file',
        examples: ['risk.yaml'],
      }),
    ),
    sources: Type.Optional(sources),
    refreshHours: Type.Optional(
      whole(1, 8_760, {
        description: 'Hours between reads of the lists.',
        default: RISK_REFRESH_HOURS,
      }),
    ),
  },
  "Sources of the risk graph's facts.",
);
