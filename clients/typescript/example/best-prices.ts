// Lists the best price of each barcode of a sheet: node best-prices.ts sheet.csv > prices.csv
// OPENSHELF_URL says where the service is, OPENSHELF_API_KEY with which key; TOKENS what it may spend at most.

import { readFile } from 'node:fs/promises';

import { BatchBrokeOff, createOpenshelf, type ProductRecord } from '../src/index.ts';

const {
  OPENSHELF_URL: baseUrl = 'http://127.0.0.1:8790',
  OPENSHELF_API_KEY: apiKey,
  TOKENS,
} = process.env;
const [file] = process.argv.slice(2);
if (file === undefined || apiKey === undefined) {
  console.error('Usage: OPENSHELF_API_KEY=osk_live_... node best-prices.ts SHEET.csv');
  process.exit(2);
}

/** The first field of each line that is made of digits: the barcodes. */
const sheet = await readFile(file, 'utf8');
const barcodes = sheet.split(/\r?\n/).flatMap((line) => /\b\d{8,14}\b/.exec(line)?.[0] ?? []);

const tokenBudget = TOKENS === undefined ? Infinity : Number(TOKENS);
const client = createOpenshelf({ baseUrl, apiKey, tokenBudget });
const lines = barcodes.map((id) => ({ id, include_cross_retailer: true }));
/** Of this sheet: a second run after a stop pays only for what is missing. */
const idempotencyKey = `best-prices-${await digestOf(barcodes.join())}`;

console.log('barcode,title,retailer,price,note');
try {
  for await (const { line, input, product, problem } of client.batch(lines, { idempotencyKey })) {
    const barcode = typeof input === 'string' ? String(line) : String(input['id']);
    if (product === null) console.log(row([barcode, '', '', '', problem?.detail]));
    else console.log(row([barcode, product.title, ...best(product), '']));
  }
} catch (error) {
  const hint =
    error instanceof BatchBrokeOff ? ' Run it again: it continues where it stopped.' : '';
  console.error(`${error instanceof Error ? error.message : String(error)}${hint}`);
  process.exitCode = 1;
}
console.error(`${client.tokens.spent} tokens spent`);

/** The retailer that asks least, and its price. */
function best({ cross_retailer: all }: ProductRecord): readonly [string, number | null] {
  const cells = Object.entries(all ?? {}).flatMap(([slug, cell]) =>
    typeof cell === 'object' && 'price' in cell && typeof cell.price === 'number'
      ? [[slug, cell.price] as const]
      : [],
  );
  return cells.toSorted(([, one], [, other]) => one - other)[0] ?? ['', null];
}

/** What a spreadsheet would run as a formula is text. */
function row(cells: readonly unknown[]): string {
  const text = (cell: unknown) => String(cell ?? '').replace(/^(?=[=+\-@\t\r])/, "'");
  return cells.map((cell) => `"${text(cell).replaceAll('"', '""')}"`).join(',');
}

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(bytes).toString('hex').slice(0, 32);
}
