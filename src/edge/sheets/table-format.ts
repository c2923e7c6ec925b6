// The formats in which tables are written, and their file extensions. Pure.

export const TABLE_FORMATS = ['csv', 'xlsx', 'jsonl', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Returns the format for a name's extension; null for an unknown one. */
export function tableFormatOf(name: string): TableFormat | null {
  const [, ending = ''] = /\.([a-z0-9]+)$/i.exec(name) ?? [];
  const lower = ending.toLowerCase();
  if (lower === 'ndjson') return 'jsonl';
  return TABLE_FORMATS.find((format) => format === lower) ?? null;
}
