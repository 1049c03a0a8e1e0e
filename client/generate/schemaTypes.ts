/** A JSON schema, as far as the server's document uses one. */
export type Schema = Readonly<{
  type?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  pattern?: string;
}>;

/** Turns schemas into interfaces. The same schema, wherever it stands, is one interface. */
export interface TypeWriter {
  /** The type of a schema; `name` is what an object in it is called. */
  typeOf(schema: Schema, name: string): string;
  /** Whether amounts stand anywhere in it: then its type has a parameter for them. */
  hasAmounts(schema: Schema): boolean;
  /** The names of its fields that are amounts. */
  amountsOf(schema: Schema): string[];
  /** The interfaces so far, as text. */
  text(): string;
}

/** What a name of an interface is called instead: a shared shape is met first under the name of its first place. */
export type Names = Readonly<Record<string, string>>;

/** Whole numbers in decimal digits: how the server writes amounts and blocks. */
const AMOUNTS = new Set(['^(0|[1-9][0-9]*)$', '^(0|-?[1-9][0-9]*)$']);

/** An answer with a field that is an amount in one place and another text elsewhere. */
export class AmbiguousAmount extends Error {
  override readonly name = 'AmbiguousAmount';
}

export function createTypeWriter(names: Names): TypeWriter {
  const byShape = new Map<string, string>();
  const interfaces = new Map<string, string>();
  return { typeOf, hasAmounts, amountsOf, text: () => [...interfaces.values()].join('\n') };

  function typeOf(schema: Schema, name: string): string {
    const { type } = schema;
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.anyOf) return branches(schema.anyOf, name).join(' | ');
    if (type === 'array') return `readonly ${bracketed(typeOf(schema.items!, name))}[]`;
    if (type === 'object') return isNamed(schema) ? objectType(schema, name) : 'JsonObject';
    if (type === 'string') return AMOUNTS.has(schema.pattern!) ? 'Amount' : 'string';
    if (type === 'integer') return 'number';
    return type ?? 'unknown';
  }

  /** Several shapes in one place are called after what each alone has. */
  function branches(all: readonly Schema[], name: string): string[] {
    const objects = all.filter(({ properties }) => properties);
    return all.map((branch) => {
      const others = objects.filter((other) => other !== branch);
      const own = Object.keys(branch.properties ?? {}).find((field) =>
        others.every(({ properties }) => !(field in properties!)),
      );
      return typeOf(branch, others.length > 0 && own ? name + pascal(own) : name);
    });
  }

  function objectType(schema: Schema, name: string): string {
    const shape = JSON.stringify(schema);
    const known = byShape.get(shape);
    const own = known ?? free(names[name] ?? name);
    if (known === undefined) {
      byShape.set(shape, own);
      interfaces.set(own, '');
      interfaces.set(own, interfaceText(schema, own));
    }
    return hasAmounts(schema) ? `${own}<Amount>` : own;
  }

  function free(name: string): string {
    if (!interfaces.has(name)) return name;
    throw new Error(`two shapes are called ${name}: give one of them another name`);
  }

  function interfaceText(schema: Schema, name: string): string {
    const fields = Object.entries(schema.properties!).map(([field, inner]) => {
      const mark = schema.required?.includes(field) ? '' : '?';
      const type = typeOf(inner, `${name}${pascal(inner.type === 'array' ? one(field) : field)}`);
      return `${comment(inner.description, '  ')}  readonly ${field}${mark}: ${type};\n`;
    });
    const parameter = hasAmounts(schema) ? '<Amount = string>' : '';
    return `${comment(schema.description)}export interface ${name}${parameter} {\n${fields.join('')}}\n`;
  }
}

/** Whether it says which fields it has. */
function isNamed({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length > 0;
}

function hasAmounts(schema: Schema): boolean {
  return amountsOf(schema).length > 0;
}

function amountsOf(schema: Schema): string[] {
  const amounts = new Set<string>();
  const others = new Set<string>();
  collect(schema, undefined);
  const both = [...amounts].filter((name) => others.has(name));
  if (both.length > 0) {
    throw new AmbiguousAmount(`${both.join(', ')}: an amount in one place, another text elsewhere`);
  }
  return [...amounts].sort();

  function collect(inner: Schema, field: string | undefined): void {
    if (inner.type === 'string' && field !== undefined) {
      (AMOUNTS.has(inner.pattern!) ? amounts : others).add(field);
    }
    for (const branch of inner.anyOf ?? []) collect(branch, field);
    if (inner.items) collect(inner.items, field);
    for (const [name, one] of Object.entries(inner.properties ?? {})) collect(one, name);
  }
}

export function comment(words: string | undefined, indent = ''): string {
  return words ? `${indent}/** ${words.replaceAll('*/', '* /')} */\n` : '';
}

export function pascal(name: string): string {
  return name.replace(/^_*(.)/, (_, first: string) => first.toUpperCase());
}

function one(plural: string): string {
  return plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, '');
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
