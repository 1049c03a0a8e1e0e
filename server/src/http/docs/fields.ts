import type { JsonSchema } from '../openapiDocument.ts';

/** One row of a table: the path of a value in the response, its type, and its meaning. */
export interface Field {
  /** chains[].assets.base.symbol; empty for the response itself. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** Lists every value of a response, in order, with its path. */
export function listFields(schema: JsonSchema, path = '', optional = false): Field[] {
  const { inner, nullable } = unwrap(schema);
  const type = [typeOf(inner), nullable && 'or null', optional && '(optional)'];
  const own: Field = {
    path,
    type: type.filter(Boolean).join(' '),
    description: String(schema.description ?? inner.description ?? ''),
  };
  return [own, ...within(inner, path)];
}

function within(schema: JsonSchema, path: string): Field[] {
  if (schema.type === 'array') return listItems(schema.items as JsonSchema, `${path}[]`);
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([name, property]) => {
    return listFields(property, path === '' ? name : `${path}.${name}`, !required.includes(name));
  });
}

/** The row of the list describes its items, so only their content is added. */
function listItems(items: JsonSchema, path: string): Field[] {
  return within(unwrap(items).inner, path);
}

function unwrap(schema: JsonSchema): { inner: JsonSchema; nullable: boolean } {
  const branches = (schema.anyOf ?? []) as readonly JsonSchema[];
  const others = branches.filter((branch) => branch.type !== 'null');
  const nullable = others.length < branches.length;
  return nullable && others.length === 1
    ? { inner: others[0]!, nullable }
    : { inner: schema, nullable };
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `list of ${typeOf(unwrap(schema.items as JsonSchema).inner)}`;
  if (Array.isArray(schema.anyOf)) {
    return schema.anyOf.map((branch: JsonSchema) => typeOf(branch)).join(' or ');
  }
  return String(schema.type ?? 'any value');
}

/** The allowed values, such as "1 to 5000, default 1000". */
export function limitsOf(schema: JsonSchema): string {
  const { minimum, maximum } = schema;
  const range =
    minimum === undefined
      ? ''
      : maximum === undefined
        ? `from ${minimum}`
        : `${minimum} to ${maximum}`;
  const preset = schema.default === undefined ? '' : `default ${String(schema.default)}`;
  return [typeOf(schema), range, preset].filter((part) => part !== '').join(', ');
}
