import type { JsonSchema } from '../openapiDocument.ts';

/** One line of a table: where a value stands in the answer, what it is and means. */
export interface Field {
  /** chains[].assets.base.symbol; the empty text is the answer itself. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** Every value of an answer, in order, with the path to it. */
export function listFields(schema: JsonSchema, path = '', optional = false): Field[] {
  const { inner, nullable } = unwrap(schema);
  const type = [typeOf(inner), nullable && 'or null', optional && '(may be absent)'];
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

/** The line of the list itself says what its items are: only what is inside them is new. */
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

/** "1 to 5000, default 1000": what may be given. */
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
