/** The JSON schema features that the server's document uses. */
export type Schema = Readonly<{
  type?: string;
  description?: string;
  deprecated?: boolean;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  pattern?: string;
}>;

/** Converts schemas to interfaces. Equal schemas share one interface. */
export interface TypeWriter {
  /** Returns the type of a schema; `name` names an object in it. */
  typeOf(schema: Schema, name: string): string;
  /** Returns whether a schema contains amounts; its type then has a parameter for them. */
  hasAmounts(schema: Schema): boolean;
  /** Returns the names of the fields that are amounts. */
  amountsOf(schema: Schema): string[];
  /** Returns the text of all interfaces so far. */
  text(): string;
}

/** Replacements for interface names: a shared schema is otherwise named after its first use. */
export type Names = Readonly<Record<string, string>>;

/** Patterns of integers as decimal strings, which the server uses for amounts and blocks. */
const AMOUNTS = new Set(['^(0|[1-9][0-9]*)$', '^(0|-?[1-9][0-9]*)$']);

/** A response has a field that is an amount in one place and other text in another. */
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

  /** Names alternative schemas after the field that only each of them has. */
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
      const words = inner.deprecated ? `@deprecated ${inner.description}` : inner.description;
      return `${comment(words, '  ')}  readonly ${field}${mark}: ${type};\n`;
    });
    const parameter = hasAmounts(schema) ? '<Amount = string>' : '';
    return `${comment(schema.description)}export interface ${name}${parameter} {\n${fields.join('')}}\n`;
  }
}

/** Returns whether a schema lists its fields. */
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

export function comment(
  words: string | undefined,
  indent = '',
  example: readonly string[] = [],
): string {
  if (!words) return '';
  const text = words.replaceAll('*/', '* /');
  if (example.length === 0) return `${indent}/** ${text} */\n`;
  const lines = [...text.split('\n'), '', '@example', ...example];
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

export function pascal(name: string): string {
  return name.replace(/^_*(.)/, (_, first: string) => first.toUpperCase());
}

function one(plural: string): string {
  return plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/(?<!s)s$/, '');
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
