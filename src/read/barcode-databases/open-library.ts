// Open Library: books by ISBN, in one request without redirects.

import { BARCODE_DATABASES } from '../../base/identity-facts.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Page, PageRequest } from '../../base/listing/page.ts';
import { at, textAt } from '../page-data/json/json-path.ts';
import { lineAt } from '../page-data/json/json-values.ts';
import {
  addressBelow,
  jsonOf,
  nameAt,
  namesAt,
  specsOf,
  type DatabaseAnswer,
} from './database-answer.ts';

const { host: HOST } = BARCODE_DATABASES.open_library;

export function openLibraryRequest(gtin: Gtin14): PageRequest {
  const url = `https://${HOST}/api/books?bibkeys=${keyOf(gtin)}&format=json&jscmd=data`;
  return { url, accept: 'json', isOfficial: true };
}

function keyOf(gtin: Gtin14): string {
  return `ISBN:${gtin.slice(1)}`;
}

/** A book that Open Library does not have is left out of the answer. The publisher of a book is not its brand. */
export function readOpenLibrary(page: Page, gtin: Gtin14): DatabaseAnswer {
  const body = page.status === 200 ? jsonOf(page) : null;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kind: 'failed' };
  const book = at(body, keyOf(gtin));
  if (book === undefined) return { kind: 'unknown' };
  const title = nameAt(book, 'title');
  if (title === null) return { kind: 'unknown' };
  const subtitle = nameAt(book, 'subtitle');
  const cover = textAt(book, 'cover.large') ?? textAt(book, 'cover.medium');
  const specs = specsOf([
    ['Author', namesAt(book, 'authors', 'name').join(', ')],
    ['Publisher', namesAt(book, 'publishers', 'name').join(', ')],
    ['Published', lineAt(book, 'publish_date')],
    ['Pages', textAt(book, 'number_of_pages')],
  ]);
  const facts = {
    source: 'open_library',
    url: addressBelow(HOST, textAt(book, 'url')) ?? `https://${HOST}/isbn/${gtin.slice(1)}`,
    title: subtitle === null ? title : `${title}: ${subtitle}`,
    brand: null,
    imageUrl: addressBelow(HOST, cover),
    categories: namesAt(book, 'subjects', 'name'),
    specs,
    packCount: null,
  } as const;
  return { kind: 'known', facts };
}
