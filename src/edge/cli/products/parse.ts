// openshelf parse FILE --url URL: the content of one saved answer, and which expected fields are missing. It uses the
// service's readers, and fetches nothing. With --store the page is handed in to this installation's data.

import { readFile, stat } from 'node:fs/promises';

import type { PageVerdict } from '../../../base/listing/page.ts';
import { statedQuantities } from '../../../read/titles/stated-quantities.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { savedPage } from './saved-page.ts';
import { bookForHost } from '../../../read/retailers/addresses/address-books.ts';
import { slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import { readAnswer } from '../../../read/retailers/registry.ts';
import { presentRetailerAnswer } from '../../../answer/wire/record/retailer-answer.ts';
import { answer, DONE, FAILED, UsageError, type Command } from '../command.ts';
import {
  DATA_AND_JSON,
  onePositional,
  requiredOption,
  slugOption,
  textOption,
} from '../options.ts';

export const parse: Command = {
  name: 'parse',
  summary: 'read one saved response of a shop and print its contents',
  synopsis: [
    'FILE --url URL [--retailer SLUG] [--reader NAME] [--content-type TYPE] [--json]',
    'FILE --url URL --store [--org NAME] [--data DIR] [--content-type TYPE] [--json]',
  ],
  positionals: { FILE: 'the saved response; /dev/stdin reads standard input' },
  options: {
    url: { value: 'URL', help: 'the address from which the response was saved' },
    retailer: {
      value: 'SLUG',
      help: 'read it as a response of this retailer (default: the one that the address belongs to)',
    },
    reader: {
      value: 'NAME',
      help: 'the reader: product (default), offers, search, seller, reviews or api:NAME; all but product are of a retailer',
    },
    'content-type': {
      value: 'TYPE',
      help: 'the Content-Type of the response (default: guessed from the file)',
    },
    store: {
      help:
        'store the product facts of the page for one organization, and print the record as the ' +
        'organization then sees it',
    },
    org: { value: 'NAME', help: 'that organization (default: the only one)' },
    ...DATA_AND_JSON,
  },
  notes: [
    'The exit code is 0 if the response could be read, otherwise 1 (the verdict states what it is).',
  ],
  run: async (input) => {
    const { values, positionals, io } = input;
    const file = onePositional(positionals, 'FILE');
    const url = requiredOption(values, 'url');
    const address = URL.parse(url);
    if (address === null)
      throw new UsageError(
        `--url takes an address such as https://shop.example.com/lamp, not "${url}".`,
      );
    const named = slugOption(values);
    const retailer = named === undefined ? bookForHost(address.hostname)?.slug : slugNamed(named);
    const body = await readBody(file, io.stop);
    if (values['store'] === true) {
      const { storePage } = await import('./store-page.ts');
      const contentType = textOption(values, 'content-type') ?? null;
      const record = await storePage(input, { url, html: body, contentType });
      return answer(input, record, [JSON.stringify(record, null, 2)]);
    }
    const page = savedPage(body, { url, contentType: textOption(values, 'content-type') });
    const reader = textOption(values, 'reader') ?? 'product';
    const verdict = readAnswer(page, reader, retailer);
    if (verdict === null) {
      throw new UsageError(
        retailer === undefined
          ? `Reader "${reader}" requires --retailer.`
          : `${retailer} has no reader "${reader}".`,
      );
    }
    const shown = { ...presentRetailerAnswer(verdict), ...titleQuantities(verdict) };
    answer(input, shown, [JSON.stringify(shown, null, 2)]);
    return verdict.kind === 'read' ? DONE : FAILED;
  },
};

/** Returns what a product's title states about weights, volumes, sizes, lengths and storage (docs/use/sheets.md). */
function titleQuantities(verdict: PageVerdict<RetailerAnswer>): object {
  if (verdict.kind !== 'read' || verdict.value.kind !== 'product') return {};
  return { title_quantities: statedQuantities(verdict.value.listing.title ?? '') };
}

/** Reads the file. Rejects a pipe or device: reading one may never end, and no signal interrupts such a read. */
async function readBody(file: string, stop: AbortSignal): Promise<Uint8Array> {
  if (file === '/dev/stdin') return await readInput(stop);
  const about = await stat(file);
  if (about.isDirectory()) throw new Error(`${file} is a folder. Specify a file in it.`);
  if (!about.isFile())
    throw new Error(`${file} is not a regular file. Save the response to a file first.`);
  return await readFile(file);
}

/** Reads standard input to its end, or until stopped. */
async function readInput(stop: AbortSignal): Promise<Uint8Array> {
  const end = () => void process.stdin.destroy(new Error('Stopped before the end of the input.'));
  stop.addEventListener('abort', end, { once: true });
  const pieces: Uint8Array[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}
