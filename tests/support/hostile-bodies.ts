// Bodies that hostile shops send, from a short description: pages that hide a product behind something,
// bombs, and endless streams. Deterministic.

import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip, gzipSync, zstdCompress } from 'node:zlib';

export type BodySpec = {
  readonly gen: string;
  readonly spec?: string;
  readonly bytes?: number;
  readonly count?: number;
  readonly each?: number;
  readonly byte?: string;
  readonly truncate?: number;
  readonly trailing?: number;
  readonly charset?: string;
};

const PRODUCT =
  '{"@context":"https://schema.org","@type":"Product","name":"Lamp","offers":{"@type":"Offer",' +
  '"price":"12.50","priceCurrency":"USD","availability":"https://schema.org/InStock"}}';

const block = (json: string) => `<script type="application/ld+json">${json}</script>`;

export const PRODUCT_PAGE = `<html><head><title>Lamp</title>${block(PRODUCT)}</head></html>`;

function named(name: string, rest = ''): string {
  return block(
    `{"@type":"Product","name":${name}${rest},"offers":{"price":"1.00","priceCurrency":"USD"}}`,
  );
}

const JSON_LD: Readonly<Record<string, (size: number) => string>> = {
  nums: (n) => block(`[${'1,'.repeat(n)}1]`),
  depth: (n) => block(`${'['.repeat(n)}${']'.repeat(n)}`),
  odepth: (n) => block(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`),
  dupkeys: (n) => block(`{"@type":"Product",${'"a":1,'.repeat(n)}"name":"x"}`),
  cycle: () =>
    block(
      '{"@graph":[{"@id":"a","isVariantOf":{"@id":"b"}},{"@id":"b","hasVariant":{"@id":"a"}}]}',
    ),
  offers: (n) =>
    block(`{"@type":"Product","name":"x","offers":[${'{"price":"1"},'.repeat(n)}{"price":"2"}]}`),
  bytes: (n) => named(`"${'x'.repeat(n)}"`),
  digits: (n) => block(`{"@type":"Product","name":"x","offers":{"price":"${'9'.repeat(n)}"}}`),
  longname: (n) => named(`"${'x'.repeat(n)}"`),
  reviews: (n) => named('"x"', `,"review":[${'{"reviewBody":"y"},'.repeat(n)}{}]`),
};

const HTML: Readonly<Record<string, (size: number) => string>> = {
  late: (n) => `<html>${'<p>filler</p>'.repeat(Math.floor(n / 13))}${block(PRODUCT)}`,
  attrs: (n) => `<div ${Array.from({ length: n }, (_, i) => `a${i}=1`).join(' ')}>`,
  adoption: (n) => `${'<b><i>'.repeat(n)}x${'</b></i>'.repeat(n)}`,
  bigattr: (n) => `<div title="${'x'.repeat(n)}">`,
  ogdup: (n) => '<meta property="og:title" content="x">'.repeat(n),
  mxss: () => '<svg><style><img src=x onerror=alert(1)></style></svg>',
  billion_laughs: () => '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><html>&b;</html>',
  redos_price: () => `<meta property="product:price:amount" content="${'1,'.repeat(50_000)}">`,
  nul_tag: () => `<sc\0ript>x</sc\0ript>${block(PRODUCT)}`,
  pi: () => `<?xml version="1.0"?><![CDATA[<x>]]><!DOCTYPE y>${block(PRODUCT)}`,
};

function textOf(spec: BodySpec): Buffer {
  const described = spec.spec ?? '';
  const repeated = /^(.+)\*(\d+)$/.exec(described);
  if (repeated !== null && spec.gen === 'html') {
    return Buffer.from((repeated[1] ?? '').repeat(Number(repeated[2])));
  }
  const [name = '', size = '0'] = described.split(':');
  const table = spec.gen === 'jsonld' ? JSON_LD : HTML;
  const make = table[name];
  if (make === undefined) throw new Error(`no body ${spec.gen} ${described}`);
  return Buffer.from(make(Number(size)));
}

function encoded(page: string, charset: string): Buffer {
  switch (charset) {
    case 'utf-16le':
      return Buffer.from(page, 'utf16le');
    case 'utf-16be':
      return Buffer.from(page, 'utf16le').swap16();
    case 'utf-8-bom':
      return Buffer.from(`\ufeff${page}`);
    default:
      // The page is ASCII, which is valid in the other labelled encodings.
      return Buffer.from(page);
  }
}

/** Returns the plain bytes; null for an endless stream. */
function plainBody(spec: BodySpec): Buffer | null {
  switch (spec.gen) {
    case 'page':
      return encoded(PRODUCT_PAGE, spec.charset ?? 'utf-8');
    case 'page_padded':
      return Buffer.from(PRODUCT_PAGE.padEnd(spec.bytes ?? 0, ' '));
    case 'zeros':
      return Buffer.alloc(spec.bytes ?? 0);
    case 'endless':
      return null;
    case 'bidi':
      return Buffer.from(named('"La\u202emp\u2066"'));
    case 'zalgo':
      return Buffer.from(named(`"L${'\u0301'.repeat(100_000)}"`));
    case 'invalid_utf8':
      return Buffer.from(named('"La\u00ffmp"'), 'latin1');
    case 'overlong':
      return Buffer.concat([
        Buffer.from(PRODUCT_PAGE),
        Buffer.from([0xc0, 0xbc, 0xe0, 0x80, 0xbc]),
      ]);
    case 'nul':
      return Buffer.from(PRODUCT_PAGE.replaceAll('><', '>\0<'));
    default:
      return textOf(spec);
  }
}

/** Off the event loop, because a bomb takes seconds to make and other cases measure their waits meanwhile. */
async function compressed(plain: Buffer, coding: string): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  switch (coding) {
    case 'gzip':
      return promisify(gzip)(plain);
    case 'deflate':
      return promisify(deflate)(plain);
    case 'br':
      return promisify(brotliCompress)(plain, { params });
    case 'zstd':
      return promisify(zstdCompress)(plain);
    default:
      return plain;
  }
}

/** Returns the bytes on the wire under the first content coding in the headers. */
export async function wireBody(spec: BodySpec, contentEncoding: string): Promise<Buffer | null> {
  const coding = contentEncoding.split(',')[0] ?? '';
  if (spec.gen === 'gzip_members') {
    const member = gzipSync(Buffer.alloc(spec.each ?? 0));
    return Buffer.concat(Array.from({ length: spec.count ?? 0 }, () => member));
  }
  const plain = plainBody(spec);
  if (plain === null) return null;
  const wire = await compressed(plain, coding);
  const cut = wire.subarray(0, Math.floor(wire.length * (spec.truncate ?? 1)));
  return Buffer.concat([cut, Buffer.alloc(spec.trailing ?? 0, 'garbage')]);
}
