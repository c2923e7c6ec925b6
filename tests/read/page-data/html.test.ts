import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readHtml } from '../../../src/read/page-data/html/html.ts';
import { MarkupScanner } from '../../../src/read/page-data/html/markup.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function tagsOf(html: string): readonly string[] {
  const scanner = new MarkupScanner(html);
  const tags: string[] = [];
  while (scanner.next()) tags.push(`${scanner.kind === 'close' ? '/' : ''}${scanner.name}`);
  return tags;
}

describe('tags are found where a browser finds them', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['plain', '<p>a</p>', ['p', '/p']],
    ['a quoted greater-than', '<a title="a > b">x</a>', ['a', '/a']],
    ['text that looks like a tag', '5 < 6 <3 <p>', ['p']],
    ['comments', '<!-- <p> --><b>', ['b']],
    ['the shortest comment', '<!--><b>', ['b']],
    ['a comment that never ends hides the rest', '<b><!-- <p>', ['b']],
    ['doctype and instructions', '<!doctype html><?xml?><b>', ['b']],
    ['CDATA', '<![CDATA[<p>]]><b>', ['b']],
    ['scripts are text', '<script>if (a<b) "<p>"</script><b>', ['script', 'b']],
    ['a script that never ends hides the rest', '<b><script><p>', ['b']],
    ['a closing tag in capitals', '<script>1</SCRIPT ><b>', ['script', 'b']],
    ['an empty frame in XHTML', '<iframe src=a /><b>', ['iframe', 'b']],
    ['a quote that never closes hides the rest', '<b><a href="x><p>', ['b']],
    ['a quote in an unquoted value', "<a title=it's><b>", ['a', 'b']],
    ['attributes on a closing tag', '<b></b x="y">', ['b', '/b']],
  ];
  for (const [name, html, tags] of rows) {
    test(name, () => assert.deepEqual(tagsOf(html), tags));
  }
});

describe('attributes are read however they are written', () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['<a x="1 2">', '1 2'],
    ["<a x='1'>", '1'],
    ['<a x=1>', '1'],
    ['<a X = "1">', '1'],
    ['<a y=2 x>', ''],
    ['<a y="x=3">', null],
    ['<a/x=1/>', '1/'],
    ['<a xx=1>', null],
    ['<a x=1 x=2>', '1'],
    ['<a x="&amp;">', '&amp;'],
  ];
  for (const [html, value] of rows) {
    test(html, () => {
      const scanner = new MarkupScanner(html);
      assert.ok(scanner.next());
      assert.equal(scanner.attribute('x'), value);
    });
  }
});

test('part of a value is found without a copy of it', () => {
  const scanner = new MarkupScanner('<a class="b badge-wrap badge-wrapper c" id=x>badge</a>');
  assert.ok(scanner.next());
  assert.equal(scanner.attributeHas('class', 'badge-wrapper'), true);
  assert.equal(scanner.attributeHas('class', 'c'), true);
  assert.equal(scanner.attributeHas('class', 'c"'), false, 'not beyond its end');
  assert.equal(scanner.attributeHas('class', 'Badge'), false);
  assert.equal(scanner.attributeHas('id', 'xx'), false);
  assert.equal(scanner.attributeHas('title', 'x'), false);
});

test('letters that only look like those of a name in bits make another name', () => {
  for (const name of ['h\u0011', 'h\u0131', 'd\u0149v', 'p\u0100', 'scrip\u0154']) {
    const scanner = new MarkupScanner(`<${name}></${name}>`);
    assert.ok(scanner.next());
    assert.equal(scanner.name, name.toLowerCase());
    assert.ok(scanner.next());
    assert.equal(scanner.name, name.toLowerCase());
  }
});

test('the end of an element is not taken for that of a longer name', () => {
  assert.deepEqual(tagsOf('<script></scripts><p></script><b>'), ['script', 'b']);
  assert.deepEqual(tagsOf('<b><script></script-x><p>'), ['b']);
});

test('the pieces of a page', () => {
  const page = readHtml(
    `<html LANG=en-US><head><title>A &amp; B</title><base href="/x/"><link rel="alternate canonical" href="/a">
    <meta property="og:title" content="T &quot;1&quot;"><meta name=OG:Type content=product><meta name="empty">
    <script type='application/ld+json; charset=utf-8'>{"a":1}</script><script id=state type="application/json">{}</script>
    </head><body><h1> One <b>two</b></h1><h1></h1><svg><title>drawing</title></svg></body></html>`,
  );
  assert.equal(page.lang, 'en-US');
  assert.equal(page.title, 'A & B');
  assert.equal(page.base, '/x/');
  assert.equal(page.canonical, '/a');
  assert.deepEqual(page.metas, [
    { key: 'og:title', content: 'T "1"' },
    { key: 'og:type', content: 'product' },
  ]);
  assert.deepEqual(page.jsonLd, ['{"a":1}']);
  assert.deepEqual(page.headings, ['One two']);
  const [script] = page.scripts;
  assert.equal(script?.id, 'state');
  assert.equal(page.html.slice(script?.from, script?.to), '{}');
});

test('no more than 64 blocks of JSON-LD are taken', () => {
  const block = '<script type="application/ld+json">{}</script>';
  assert.equal(readHtml(block.repeat(100)).jsonLd.length, 64);
});

describe('microdata', () => {
  const one = (html: string): Record<string, unknown> => ({ ...readHtml(html).items[0] });

  test('values by kind of element', () => {
    const item = one(
      `<div itemscope itemtype="http://schema.org/Product"><span itemprop=name> A <b>B</b> </span>
      <a itemprop=url href="/u">x</a><a itemprop=brand href="/b">Acme</a><img itemprop=image data-src=/i.png>
      <time itemprop=releaseDate datetime=2026-01-02>soon</time><data itemprop=sku value=7>x</data>
      <span itemprop="weight" content="2 kg">two</span><meta itemprop="mpn" content="a&amp;b"></div>`,
    );
    assert.deepEqual(item, {
      '@type': ['http://schema.org/Product'],
      name: 'A B',
      url: '/u',
      brand: 'Acme',
      image: '/i.png',
      releaseDate: '2026-01-02',
      sku: '7',
      weight: '2 kg',
      mpn: 'a&b',
    });
  });

  test('nested items, repeated properties, several names at once', () => {
    const item = one(
      `<p itemscope><b itemprop="name alternateName">A</b><b itemprop="name">B</b><i itemprop="offers" itemscope itemtype="x/Offer"><meta itemprop=price content=1></i><b itemprop="color">red</b></p>`,
    );
    assert.deepEqual(item['name'], ['A', 'B']);
    assert.equal(item['alternateName'], 'A');
    assert.equal((item['offers'] as Record<string, unknown>)['price'], '1');
    assert.equal(item['color'], 'red');
  });

  test('list items and cells that never close end where the next one opens', () => {
    const page = readHtml(
      '<ul><li itemscope><b itemprop=name>A</b><li itemscope><b itemprop=name>B</b></ul>' +
        '<table><tr><td itemscope><b itemprop=name>C</b><td itemscope><b itemprop=name>D</b></table>',
    );
    assert.deepEqual(
      page.items.map((item) => item['name']),
      ['A', 'B', 'C', 'D'],
    );
  });

  test("an item without a property name is nobody's property", () => {
    const page = readHtml(
      '<div itemscope><b itemprop=name>A</b><div itemscope><b itemprop=name>B</b></div></div>',
    );
    assert.deepEqual(
      page.items.map((item) => item['name']),
      ['A', 'B'],
    );
  });

  test('the end of an element around an item ends the item, also when other items came before', () => {
    const page = readHtml(
      '<p itemscope><b itemprop=name>A</b></p><div><frame-x><em>' +
        '<section itemscope><b itemprop=name>B</b><span></frame-x><b itemprop=sku>1</b></div>',
    );
    assert.deepEqual(
      page.items.map((item) => [item['name'], item['sku']]),
      [
        ['A', undefined],
        ['B', undefined],
      ],
    );
  });

  test('og tags inside of an RDFa product are not its properties', () => {
    const page = readHtml(
      '<div typeof="schema:Product"><meta property="og:title" content=X><b property="schema:name">A</b></div>',
    );
    assert.deepEqual(Object.keys(page.items[0] ?? {}), ['@type', 'name']);
  });
});

describe('hostile shapes take linear time', () => {
  const shapes: Readonly<Record<string, string>> = {
    'unclosed comments': '<!--'.repeat(80_000),
    'unclosed scripts': '<script>'.repeat(80_000),
    'unclosed frames': '<iframe>'.repeat(80_000),
    'unclosed titles': '<title>'.repeat(80_000),
    'unclosed templates': '<template>'.repeat(80_000),
    'less-thans': '<'.repeat(800_000),
    ampersands: '&'.repeat(800_000),
    'one tag with 80,000 attributes': `<a ${'x=1 '.repeat(80_000)}>`,
    'an attribute of 3 MiB': `<a x="${'y'.repeat(3_145_728)}">`,
    'nested scopes': '<div itemscope>'.repeat(80_000),
    'nested properties': '<div itemscope>' + '<div itemprop="name">'.repeat(80_000),
    'closing tags of nothing': `<p itemprop=x itemscope>${'<div>'.repeat(600)}${'</b>'.repeat(300_000)}`,
    'open list items': `<ul itemscope><b itemprop=x>${'<li>'.repeat(100_000)}`,
    'nested tables': `<b itemprop=x>${'<table><tr><td>'.repeat(80_000)}`,
  };
  for (const [name, html] of Object.entries(shapes)) {
    test(name, () => {
      const start = cpuMs();
      readHtml(html);
      // Quadratic scanning takes tens of seconds on these; the bound leaves room for a busy machine.
      assert.ok(cpuMs() - start < 2000);
    });
  }
});
