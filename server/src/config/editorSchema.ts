import { fileSchema, REFERENCE_PATTERN } from './schema.ts';

/**
 * Creates the schema for editors, which see the file before environment references are resolved: a reference may
 * replace any single value.
 */
export function editorSchema(): object {
  const schema = withReferences(JSON.parse(JSON.stringify(fileSchema))) as object;
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
}

const REFERENCE = { type: 'string', pattern: REFERENCE_PATTERN };

function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = schema as Record<string, unknown>;
  if (isValue(node)) {
    // Editors show the message of the outermost schema.
    const { description, errorMessage, default: preset, examples, ...rest } = node;
    return { description, errorMessage, default: preset, examples, anyOf: [rest, REFERENCE] };
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => [
      key,
      key === 'examples' || key === 'default' ? inner : withReferences(inner),
    ]),
  );
}

function isValue(node: Record<string, unknown>): boolean {
  return (
    node.enum !== undefined ||
    node.anyOf !== undefined ||
    ['integer', 'number', 'string'].includes(String(node.type))
  );
}
