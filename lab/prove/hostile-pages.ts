// Pages that cost a reader as much as they can, each about this many bytes long.

const block = (json: string): string => `<script type="application/ld+json">${json}</script>`;
const fill = (piece: string, bytes: number): string =>
  piece.repeat(Math.max(1, Math.floor(bytes / piece.length)));
/** Several JSON-LD blocks with this many bytes in total. */
const blocks = (bytes: number, make: (bytes: number) => string): string =>
  Array.from({ length: 8 }, () => block(make(bytes / 8))).join('');

function chain(bytes: number): string {
  const nodes = Array.from(
    { length: Math.floor(bytes / 110) },
    (_, index) =>
      `{"@id":"#${index}","@type":"Product","name":"x","isVariantOf":{"@id":"#${index + 1}"},"offers":{"@id":"#${index + 1}"}}`,
  );
  return `[${nodes.join(',')}]`;
}

export const hostilePages: Readonly<Record<string, (bytes: number) => string>> = {
  'chains of @id': (bytes) => blocks(bytes, chain),
  'broken numbers': (bytes) => blocks(bytes, (each) => `{"a":[${fill('1,', each)}`),
  'broken quotes': (bytes) => blocks(bytes, (each) => `{"a":"${fill('" ', each)}`),
  'escaped quotes': (bytes) =>
    blocks(bytes, (each) => `{&quot;a&quot;:&quot;${fill('&amp;amp;', each)}`),
  'empty objects': (bytes) => blocks(bytes, (each) => `[${fill('{},', each)}1]`),
  'deep lists': (bytes) => block(`${fill('[', bytes / 2)}${fill(']', bytes / 2)}`),
  'open elements': (bytes) => fill('<b><i>', bytes),
  'open tables': (bytes) => fill('<table><tr><td>a<td>b', bytes),
  'open headings': (bytes) => fill('<h1>', bytes),
  attributes: (bytes) => `<div ${fill('a=1 ', bytes)}>`,
  'meta tags': (bytes) =>
    fill(`<meta property="og:title" content="${'&amp;amp;'.repeat(2_000)}">`, bytes),
  microdata: (bytes) =>
    fill(
      '<div itemscope itemtype="http://schema.org/Product"><span itemprop="name">x</span></div>',
      bytes,
    ),
  'open microdata': (bytes) =>
    fill('<div itemscope itemtype="http://schema.org/Product"><span itemprop="name">', bytes),
  rdfa: (bytes) => fill('<div typeof="Product"><span property="name">x</span>', bytes),
  scripts: (bytes) => fill('<script>var x={"product":{"price":1}}</script>', bytes),
  'one script': (bytes) => `<script>${fill('{"product":{"price":1}},', bytes)}</script>`,
  'unclosed comments': (bytes) => fill('<!-- x', bytes),
  'nested cards': (bytes) =>
    fill(`<li class="sku-item" data-sku-id="1">${'<h4 class="sku-title">'.repeat(3_000)}`, bytes),
  'lists of a hosted store': (bytes) =>
    `{"product":{"title":"x","variants":[${fill('{"id":1,"price":"1"},', bytes)}{}]}}`,
};
