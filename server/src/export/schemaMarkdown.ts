import { EXPORT_SCHEMA, type ExportTable } from '../store/exports/exportTable.ts';

/** The tables as documented in docs/export.md. */
export function schemaMarkdown(tables: readonly ExportTable[]): string {
  return [`Schema version: ${EXPORT_SCHEMA}`, ...tables.map(tableMarkdown)].join('\n\n');
}

function tableMarkdown({ name, description, columns, keyLength }: ExportTable): string {
  const rows = columns.map((column, i) => {
    const type = column.nullable ? `${column.type}, null` : column.type;
    return `| \`${column.name}\`${i < keyLength ? ' (key)' : ''} | ${type} | ${column.description} |`;
  });
  return [
    `### ${name}\n\n${description}.\n`,
    '| Column | Type | Meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
