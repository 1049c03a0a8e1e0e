import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../domain/jsonSchema.ts';
import type { ApiOperations } from './apiOperations.ts';
import { shortInput } from './inputs.ts';
import type { PaidTool } from './paidTools.ts';
import type { FreeTool, ToolArguments } from './tool.ts';

/** Compiled once: there is a server for each request. */
export function schema<Value>(of: JsonSchema): StandardSchemaWithJSON<Value, Value> {
  return fromJsonSchema<Value>(of as never);
}

/** A tool of the server, without an output schema: a model reads the result instead. */
export function describeFree(tool: FreeTool, operations: ApiOperations) {
  const of = tool.operations.map((name) => operations.get(name)!);
  const ages = of.flatMap(({ maxAge }) => maxAge ?? []);
  const age = ages.length === 0 ? 'Not cached' : `At most ${Math.max(...ages)} s old`;
  return {
    title: tool.title,
    description: `${tool.description} Free. ${age}.`,
    inputSchema: schema<ToolArguments>(shortInput(tool.input?.(of) ?? of[0]!.input)),
    annotations: { readOnlyHint: true },
  };
}

/** Bought responses within this age are reused, unless a call sets another. */
export const DEFAULT_MAX_AGE_SECONDS = 300;
const MAX_AGE_SECONDS = 86_400;

/** With a budget, a call can set the maximum age of an earlier response. */
export function describePaid(tool: PaidTool, operations: ApiOperations, hasBudget: boolean) {
  const of = operations.get(tool.operation)!;
  const input = shortInput(tool.input ?? of.input);
  const each = tool.input === undefined ? '' : ' per node';
  const maxAgeSeconds = { type: 'integer', minimum: 0, maximum: MAX_AGE_SECONDS };
  const properties = { ...(input.properties as object), ...(hasBudget && { maxAgeSeconds }) };
  return {
    title: tool.title,
    description: `${tool.description} Price: ${of.priceUsd ?? 'see the invoice'} USD${each} (x402).`,
    inputSchema: schema<ToolArguments>({ ...input, properties }),
    // It spends money.
    annotations: { readOnlyHint: false, destructiveHint: false },
  };
}
