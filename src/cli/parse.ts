// openshelf parse FILE --url URL: one saved page -> one listing, with what was expected and missing. Reads
// with the same reader as the service; fetches and stores nothing.

import { readFile } from 'node:fs/promises';

import { isSlug } from '../domain/retailer.ts';
import { savedPage } from '../lookup/saved-page.ts';
import { readProductPage } from '../retailers/registry.ts';
import { presentReading } from '../wire/listing.ts';
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
  summary: 'read one saved page and print the listing it holds',
  usage: [
    'Usage: openshelf parse FILE --url URL [--retailer SLUG] [--content-type TYPE] [--json]',
    '',
    '  --url URL            the address the page was saved from',
    '  --retailer SLUG      read it as a page of this retailer',
    '  --content-type TYPE  the Content-Type it was served with; guessed from the file otherwise',
    '  --json               print the reading as one JSON object on one line',
    '',
    'Exit code 0 when the page is a product page, 1 when it is not (the verdict says what it is).',
  ].join('\n'),
  options: {
    url: { type: 'string' },
    retailer: { type: 'string' },
    'content-type': { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async ({ values, positionals, io }) => {
    const file = onePositional(positionals, 'FILE');
    const url = requiredOption(values, 'url');
    if (URL.parse(url) === null) throw new UsageError('--url is not an address');
    const retailer = textOption(values, 'retailer');
    if (retailer !== undefined && !isSlug(retailer)) {
      throw new UsageError('--retailer is not a slug: 2 to 30 of a-z and 0-9');
    }
    const body = await readFile(file);
    const page = savedPage(body, { url, contentType: textOption(values, 'content-type') });
    const verdict = readProductPage(page, retailer);
    const reading = presentReading(verdict);
    if (values['json'] === true) printJson(io, reading);
    else io.out(JSON.stringify(reading, null, 2));
    return verdict.kind === 'read' ? DONE : FAILED;
  },
};
