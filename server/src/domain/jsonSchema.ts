export type JsonSchema = Readonly<Record<string, unknown>>;

const WORDS = new Set(['description', 'examples', 'default', 'format']);

/** The same schema without its words, where every byte counts: fields keep their names, whatever these are. */
export function withoutWords(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([name]) => !WORDS.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (name === 'properties') {
        const fields = Object.entries(value as Record<string, JsonSchema>);
        return [name, Object.fromEntries(fields.map(([field, of]) => [field, withoutWords(of)]))];
      }
      if (name === 'items') return [name, withoutWords(value as JsonSchema)];
      if (name === 'anyOf') return [name, (value as JsonSchema[]).map(withoutWords)];
      return [name, value];
    }),
  );
}
