import type { Client } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import type { ApiOperation } from './apiOperations.ts';

/** The arguments of a call, validated against its schema. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Casts to the parameters of a client function, whose operation has the same schema. */
export function asked<Parameters>(args: ToolArguments, signal: AbortSignal) {
  return { ...(args as Parameters), signal };
}

/** A resource that a result links to, if it would be too long itself. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export interface ToolAnswer {
  readonly answer: object;
  readonly links?: readonly ResourceLink[];
}

/** A free tool. */
export interface FreeTool {
  readonly name: `assay_${string}`;
  readonly title: string;
  /** What it returns and when to use it; freshness and price are added. */
  readonly description: string;
  /** Operations of the API; the tool is offered if the server has all of them. */
  readonly operations: readonly string[];
  /** Its input, if it differs from the parameters of its operation. */
  readonly input?: (operations: readonly ApiOperation[]) => JsonSchema;
  run(client: Client, args: ToolArguments, signal: AbortSignal): Promise<ToolAnswer>;
}
