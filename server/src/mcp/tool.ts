import type { Client } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import type { ApiOperation } from './apiOperations.ts';

/** What a tool was called with, checked against its schema. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** As a function of the client takes them: the schema was that of its very operation. */
export function asked<Parameters>(args: ToolArguments, signal: AbortSignal) {
  return { ...(args as Parameters), signal };
}

/** A resource that an answer points to, where it would be too long itself. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export interface ToolAnswer {
  readonly answer: object;
  readonly links?: readonly ResourceLink[];
}

/** A tool that costs nothing. */
export interface FreeTool {
  readonly name: `assay_${string}`;
  readonly title: string;
  /** What it tells and when to use it; freshness and price are added. */
  readonly description: string;
  /** Of the API; the tool is offered where the server has them all. */
  readonly operations: readonly string[];
  /** What it takes, where that is not what its operation takes. */
  readonly input?: (operations: readonly ApiOperation[]) => JsonSchema;
  /** What it answers, where that is not what its operation answers: the protocol wants an object. */
  readonly output?: (operations: readonly ApiOperation[]) => JsonSchema;
  run(client: Client, args: ToolArguments, signal: AbortSignal): Promise<ToolAnswer>;
}

/** An object with these fields. */
export function objectOf(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties: fields, required: Object.keys(fields) };
}
