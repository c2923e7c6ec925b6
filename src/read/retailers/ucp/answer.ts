// Reads the answers of a shop's catalogue by the Universal Commerce Protocol, over MCP (JSON-RPC) or REST: its products, or
// the reason why there are none. `not_a_product` means that the shop has no catalogue at this endpoint, `blocked` that it
// refuses (D82).

import type { Listing } from '../../../base/listing/listing.ts';
import type { FailedVerdict, Page, PageVerdict } from '../../../base/listing/page.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { decodeJson } from '../../page-data/decode-bytes.ts';
import { parseJson, parseScriptJson } from '../../page-data/json/bounded-json.ts';
import { at, hasObjectAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { isProductAt, readUcpProduct } from './product.ts';

/**
 * JSON-RPC codes: not authorized, this installation's profile is not accepted, unknown tool or request. -32603 may be
 * temporary.
 */
const ABSENT_CODES: ReadonlySet<number> = new Set([-32_000, -32_001, -32_600, -32_601, -32_602]);
const TOO_MANY = /rate limit|too many/i;

/** The meanings of messages in an answer without products. Any other message may be temporary. */
const OF_MESSAGE: Readonly<
  Record<string, FailedVerdict['kind'] & ('not_found' | 'not_a_product')>
> = { not_found: 'not_found', capabilities_incompatible: 'not_a_product' };

/** Reads an answer that was requested in place of a product's page; null for a body that does not follow the protocol. */
export function readUcpJson(page: Page, words: UnknownWords): PageVerdict<Listing> | null {
  const content = contentOf(page);
  if (content === null || content.kind !== 'content') return content;
  const address = page.insteadOf ?? page.url;
  const { products, isOne } = content;
  const asked = isOne ? products : products.filter((each) => isProductAt(each, address));
  const [product] = asked;
  if (product === undefined || asked.length > 1) {
    return { kind: 'not_found', why: `the catalogue has ${asked.length} products at this address` };
  }
  return readUcpProduct(product, { page, address, isOne }, words);
}

/** Maximum bytes of the answer to a search. */
const SEARCH_BYTES = 1_048_576;

/** Returns the handles of the products in the answer to a search, in its order; null for any other body. */
export function ucpHandles(page: Page): readonly string[] | 'refused' | null {
  const content = page.body.byteLength > SEARCH_BYTES ? null : contentOf(page);
  if (content?.kind === 'blocked') return 'refused';
  if (content?.kind === 'not_found') return [];
  if (content?.kind !== 'content') return null;
  return content.products
    .map((product) => textAt(product, 'handle'))
    .filter((handle) => handle !== null)
    .filter((handle) => /^[\p{L}\p{N}_-]{1,255}$/u.test(handle));
}

type Content = {
  readonly kind: 'content';
  readonly products: readonly unknown[];
  /** Whether one product was requested by its identifier. Otherwise the request may match several. */
  readonly isOne: boolean;
};

function contentOf(page: Page): Content | FailedVerdict | null {
  const text = decodeJson(page.body, page.headers['content-type']);
  // Other protocols of shops answer in JSON too. Only their own readers should parse it.
  const body = /"(?:ucp|jsonrpc)"\s*:/.test(text) ? parseScriptJson(text.trimStart()) : null;
  if (hasObjectAt(body, 'error')) return ofError(at(body, 'error'));
  const content = hasObjectAt(body, 'result') ? resultOf(at(body, 'result')) : body;
  if (!hasObjectAt(content, 'ucp')) return null;
  const own = at(content, 'product');
  if (own !== undefined) return { kind: 'content', products: [own], isOne: true };
  if (Array.isArray(at(content, 'products'))) {
    return { kind: 'content', products: listAt(content, 'products', 50), isOne: false };
  }
  const codes = listAt(content, 'messages', 20).map((each) => textAt(each, 'code') ?? '');
  const known = codes.find((code) => Object.hasOwn(OF_MESSAGE, code)) ?? '';
  const why = `the catalogue says ${codes.join(', ')}`.slice(0, 200);
  return { kind: OF_MESSAGE[known] ?? 'retry', why };
}

/** Returns the result of a tool: an object, or the JSON text of one from older servers. */
function resultOf(result: unknown): unknown {
  if (hasObjectAt(result, 'structuredContent')) return at(result, 'structuredContent');
  const text = textAt(result, 'content.0.text');
  return text === null ? null : parseJson(text);
}

function ofError(error: unknown): FailedVerdict | null {
  const code = numberAt(error, 'code');
  if (code === null) return null;
  const why = `the catalogue refused: ${code} ${textAt(error, 'data.code') ?? ''}`.slice(0, 200);
  const seconds = numberAt(error, 'data.retry_after');
  if (seconds !== null && seconds >= 0) {
    return { kind: 'blocked', why, retryAfterSeconds: Math.min(seconds, 86_400) };
  }
  if (TOO_MANY.test(textAt(error, 'message') ?? '')) return { kind: 'blocked', why };
  return { kind: ABSENT_CODES.has(code) ? 'not_a_product' : 'retry', why };
}
