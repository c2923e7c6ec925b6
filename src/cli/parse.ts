// openshelf parse FILE --url URL: one saved answer -> what it holds, with what was expected and missing. Reads
// with the same reader as the service; fetches and stores nothing.

import { readFile, stat } from 'node:fs/promises';

import type { PageVerdict } from '../listing/page.ts';
import { statedQuantities } from '../titles/stated-quantities.ts';
import type { RetailerAnswer } from '../listing/retailer-answer.ts';
import { isSlug } from '../core/retailer.ts';
import { savedPage } from '../collect/saved-page.ts';
import { readAnswer } from '../retailers/registry.ts';
import { presentRetailerAnswer } from '../wire/retailer-answer.ts';
import {
  DONE,
  FAILED,
  onePositional,
  printJson,
  requiredOption,
  textOption,
  UsageError,
  type Command,
} from './command.ts';

export const parse: Command = {
  name: 'parse',
  summary: 'read one saved answer of a shop and print what it holds',
  usage: [
    'Usage: openshelf parse FILE --url URL [--retailer SLUG] [--reader NAME]',
    '                       [--content-type TYPE] [--json]',
    '',
    '  --url URL            the address the page was saved from',
    '  --retailer SLUG      read it as a page of this retailer',
    '  --reader NAME        product (default), offers, search, seller, reviews, api:<name>; the',
    '                       others than product only with --retailer',
    '  --content-type TYPE  the Content-Type it was served with; guessed from the file otherwise',
    '  --json               print the reading as one JSON object on one line',
    '',
    'Exit code 0 when the answer was read, 1 when it was not (the verdict says what it is).',
  ].join('\n'),
  options: {
    url: { type: 'string' },
    retailer: { type: 'string' },
    reader: { type: 'string' },
    'content-type': { type: 'string' },
    json: { type: 'boolean' },
  },
  takesWords: true,
  run: async ({ values, positionals, io }) => {
    const file = onePositional(positionals, 'FILE');
    const url = requiredOption(values, 'url');
    if (URL.parse(url) === null) throw new UsageError('--url is not an address');
    const retailer = textOption(values, 'retailer');
    if (retailer !== undefined && !isSlug(retailer)) {
      throw new UsageError('--retailer is not a slug: 2 to 30 of a-z and 0-9');
    }
    const body = await readBody(file, io.stop);
    const page = savedPage(body, { url, contentType: textOption(values, 'content-type') });
    const reader = textOption(values, 'reader') ?? 'product';
    const verdict = readAnswer(page, reader, retailer);
    if (verdict === null) {
      throw new UsageError(`${retailer ?? 'a shop without --retailer'} has no reader "${reader}"`);
    }
    const reading = { ...presentRetailerAnswer(verdict), ...titleQuantities(verdict) };
    if (values['json'] === true) printJson(io, reading);
    else io.out(JSON.stringify(reading, null, 2));
    return verdict.kind === 'read' ? DONE : FAILED;
  },
};

/** What a product's title states of weights, volumes, sizes, lengths and storage (docs/quantities.md). */
function titleQuantities(verdict: PageVerdict<RetailerAnswer>): object {
  if (verdict.kind !== 'read' || verdict.value.kind !== 'product') return {};
  return { title_quantities: statedQuantities(verdict.value.listing.title ?? '') };
}

/** A pipe or device by name is refused: reading one may never end, and no signal reaches such a read. */
async function readBody(file: string, stop: AbortSignal): Promise<Uint8Array> {
  if (file === '/dev/stdin') return await readInput(stop);
  const about = await stat(file);
  if (about.isDirectory()) throw new Error(`${file} is a folder: name a file in it`);
  if (!about.isFile()) throw new Error(`${file} is no regular file: save the answer to one first`);
  return await readFile(file);
}

/** Standard input to its end, or until told to stop. */
async function readInput(stop: AbortSignal): Promise<Uint8Array> {
  const end = () => void process.stdin.destroy(new Error('stopped before the end of the input'));
  stop.addEventListener('abort', end, { once: true });
  const pieces: Uint8Array[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}
