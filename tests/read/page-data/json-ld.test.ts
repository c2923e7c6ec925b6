import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { graphOf } from '../../../src/read/page-data/schema-org/graph.ts';
import { sizeOfJson } from '../../../src/read/page-data/json/bounded-json.ts';
import { readJsonLd } from '../../../src/read/page-data/schema-org/json-ld.ts';
import { parseLeniently } from '../../../src/read/page-data/json/lenient-json.ts';
import { listOf, typesOf, valueOf } from '../../../src/read/page-data/schema-org/node.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

describe('nearly JSON is read', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['{"a":1,}', [{ a: 1 }]],
    ['[1,2,,3,]', [[1, 2, 3]]],
    ['{"a":"x\ny"}', [{ a: 'x\ny' }]],
    ["{'a':'it\\'s'}", [{ a: "it's" }]],
    ['{a: true, b: undefined}', [{ a: true, b: null }]],
    ['{"a":1} {"b":2}', [{ a: 1 }, { b: 2 }]],
    ['{"a":1}}', [{ a: 1 }]],
    ['{"a":1};', [{ a: 1 }]],
    ['<!-- {"a":1} -->', [{ a: 1 }]],
    ['/* x */ {"a": // y\n 1}', [{ a: 1 }]],
    ['{"a":"1" 2"}', [{ a: '1" 2' }]],
    ['{"a":"x","b":["y","z"]}', [{ a: 'x', b: ['y', 'z'] }]],
    ['{"a":"\\u00e9\\/\\q"}', [{ a: 'é/q' }]],
    ['{"a":"\\x26 \\u{1f600}\\v\\\n\\ud83d\\ude00"}', [{ a: '& 😀\v😀' }]],
    ['{"a":"C:\\xyz \\u{110000}"}', [{ a: 'C:xyz u{110000}' }]],
    ['{"a":1,"b":"x', [{ a: 1 }]],
    ['{"a":1,"b":2', [{ a: 1 }]],
    ['{"a":{"b":[1,', [{ a: { b: [1] } }]],
    ['{"a":1,"b', [{ a: 1 }]],
    ['', []],
  ];
  for (const [text, roots] of rows) {
    test(JSON.stringify(text), () => assert.deepEqual(plain(parseLeniently(text)?.roots), roots));
  }
});

describe('what is doubtful is refused as a whole', () => {
  const texts = [
    '{"price": 1,299.00}',
    '{"price": 1,299}',
    '{"price": {{ price }}}',
    '{"price": <%= x %>}',
    '{"a":1]',
    '{"a":}',
    'hello',
    '{"a":12abc}',
    `${'['.repeat(100)}1`,
  ];
  for (const text of texts) {
    test(text.slice(0, 40), () => assert.equal(parseLeniently(text), null));
  }
});

test('lenient reading is linear in hostile texts', () => {
  const shapes = [
    `{"a":"${'"'.repeat(500_000)}`,
    `{"a":"${`"${' '.repeat(1000)}`.repeat(500)}`,
    `{${'/*'.repeat(300_000)}`,
    `{${','.repeat(500_000)}`,
    `[${'"a'.repeat(300_000)}`,
  ];
  for (const shape of shapes) {
    const start = cpuMs();
    parseLeniently(shape);
    assert.ok(cpuMs() - start < 2000);
  }
});

test('depth is seen before parsing, and brackets in strings do not count', () => {
  assert.equal(sizeOfJson('[[["[[[["]]]', 3).isShallow, true);
  assert.equal(sizeOfJson('[[[[]]]]', 3).isShallow, false);
  assert.equal(sizeOfJson('"\\"[[[["', 1).isShallow, true);
});

test('blocks over 1 MiB and blocks too deep are reported, the others read', () => {
  const graph = readJsonLd([
    `{"a":"${'x'.repeat(1_048_576)}"}`,
    `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
    '{"name":"ok"}',
    'nonsense',
    '',
  ]);
  assert.deepEqual(
    graph.nodes.map(({ node }) => valueOf(node, 'name')),
    ['ok'],
  );
  assert.equal(graph.remarks.length, 3);
});

test('a block whose quotes were escaped twice is read', () => {
  const graph = readJsonLd(['{&amp;quot;name&amp;quot;:&amp;quot;ok&amp;quot;}']);
  assert.equal(valueOf(graph.nodes[0]?.node ?? {}, 'name'), 'ok');
});

test('no more than 20,000 values are walked', () => {
  const graph = graphOf([Array.from({ length: 30_000 }, (_, index) => ({ index }))]);
  assert.ok(graph.nodes.length < 20_000);
  assert.equal(graph.remarks.length, 1);
});

test('4,000 nodes with the id of one that has 24,000 properties are read in a moment', () => {
  const large = Object.fromEntries(Array.from({ length: 24_000 }, (_, at) => [`p${at}`, at]));
  const nodes = Array.from({ length: 4_000 }, (_, at) => ({ '@id': 'a', at }));
  const startedMs = cpuMs();
  const graph = graphOf([{ '@id': 'a', ...large }, ...nodes, { of: { '@id': 'a' } }]);
  assert.ok(cpuMs() - startedMs < 2_000);
  assert.equal(valueOf(graph.nodes[0]?.node ?? {}, 'p23999'), 23_999);
});

test('references are replaced by what they name, circles included', () => {
  const graph = readJsonLd([
    '{"@graph":[{"@id":"#p","name":"P","brand":{"@id":"#b"},"offers":[{"@id":"#o"}]},{"@id":"#b","name":"B"},' +
      '{"@id":"#o","price":1,"itemOffered":{"@id":"#p"}}]}',
  ]);
  const product = graph.nodes.find(({ node }) => valueOf(node, 'name') === 'P')?.node ?? {};
  assert.equal(valueOf(valueOf(product, 'brand') as Record<string, unknown>, 'name'), 'B');
  const [offer] = listOf(product, 'offers') as Record<string, unknown>[];
  assert.equal(offer?.['itemOffered'], product);
});

test('a reference to another type or to nothing stays a reference', () => {
  const graph = readJsonLd([
    '[{"a":{"@id":"#x","@type":"Offer"},"b":{"@id":"#none"}},{"@id":"#x","@type":"Page","name":"N"}]',
  ]);
  assert.deepEqual(plain(graph.nodes[0]?.node), {
    a: { '@id': '#x', '@type': 'Offer' },
    b: { '@id': '#none' },
  });
});

test('types and properties in the spellings of real pages', () => {
  assert.deepEqual(
    typesOf({ '@type': ['https://schema.org/Product/', ['schema:Book', 'Thing#Car']] }),
    ['product', 'book', 'car'],
  );
  assert.deepEqual(typesOf({ '@type': 7 }), []);
  assert.equal(valueOf({ Offers: 1 }, 'offers'), 1);
  assert.equal(valueOf({}, 'constructor'), undefined);
  assert.deepEqual(listOf({ a: null }, 'a'), []);
});
