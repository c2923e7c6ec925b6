import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClassNames } from '../../../src/read/page-data/html/class-names.ts';
import {
  attributeOf,
  elementsWithParts,
  hasClass,
  innerHtml,
  pageElements,
  visibleText,
} from '../../../src/read/page-data/html/page-elements.ts';
import { MarkupScanner } from '../../../src/read/page-data/html/markup.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { mutated } from '../../support/text-mutations.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const byId = (html: string) => pageElements(html, (tag) => tag.attribute('id'));

const ENDS: readonly (readonly [string, string, string])[] = [
  ['an element of the same name inside', '<div id="a"><div>1</div>2</div>3', '12'],
  ['elements of other names', '<p><b id="a">x<i>y</i></b>z</p>', 'xy'],
  ['one in the other', '<div id="a">1<div id="b">2</div>3</div>4', '1 2 3'],
  ['no end at all', '<div id="a">1<span>2', '12'],
  ['an end too many in front', '</div></div><div id="a">1</div>2', '1'],
  ['upper case', '<DIV ID="a">1</DIV>2', '1'],
  ['a comment with an end', '<div id="a">1<!-- </div> -->2</div>3', '12'],
  ['a script with an end', '<div id="a">1<script>"</div>"</script>2</div>3', '1 2'],
  ['a void element inside', '<span id="a">1<br>2</span>3', '1 2'],
];

describe('elements of a page', () => {
  test('an element ends where its own closing tag stands', () => {
    for (const [name, html, text] of ENDS) {
      const [element] = byId(html);
      assert.ok(element !== undefined, name);
      const shown = visibleText(html, element)?.replaceAll(/\s+/g, ' ');
      assert.equal(shown?.replaceAll(' ', ''), text.replaceAll(' ', ''), name);
    }
  });

  test('they come in the order in which they open, nested ones too', () => {
    const html = '<div id="a"><p id="b">1</p></div><div id="c">2</div>';
    assert.deepEqual(
      byId(html).map((element) => [element.key, element.name, innerHtml(html, element)]),
      [
        ['a', 'div', '<p id="b">1</p>'],
        ['b', 'p', '1'],
        ['c', 'div', '2'],
      ],
    );
  });

  test('a void element holds nothing; its attributes are read', () => {
    const html = '<input id="a" value="1 &amp; 2"><b>x</b>';
    const [element] = byId(html);
    assert.ok(element !== undefined);
    assert.equal(innerHtml(html, element), '');
    assert.equal(visibleText(html, element), null);
    assert.equal(attributeOf(html, element, 'value'), '1 &amp; 2');
    assert.equal(attributeOf(html, element, 'name'), null);
  });

  test('a class is one word of the attribute, not a part of one', () => {
    const wanted = new Set(['price']);
    const found = (value: string): number =>
      pageElements(`<b class="${value}">1</b>`, (tag) => (hasClass(tag, wanted) ? 'x' : null))
        .length;
    assert.deepEqual(['price', 'a price b', 'old-price', 'Price', ''].map(found), [1, 1, 0, 0, 0]);
  });

  test('damaged pages give elements whose borders lie within the page', (context) => {
    const seed = seedOf(4711);
    context.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    const page = ENDS.map(([, html]) => html).join('');
    for (let round = 0; round < 2000; round += 1) {
      const html = mutated(page, random);
      for (const { start, from, to } of byId(html)) {
        assert.ok(start >= 0 && start < from && from <= to && to <= html.length);
      }
    }
  });

  test('deep nesting costs one walk, and no more than five thousand elements are kept', () => {
    const html = '<div id="a">'.repeat(200_000);
    const startedAt = cpuMs();
    assert.equal(byId(html).length, 5000);
    assert.ok(cpuMs() - startedAt < 2000);
  });

  test('parts of elements are those that looking through each element for itself finds', (context) => {
    const seed = seedOf(4712);
    context.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    const names = new ClassNames(['card', 'name', 'price']);
    const pickPart = (tag: MarkupScanner, classes: readonly string[]): string | null =>
      tag.name === 'a' ? 'link' : (classes.find((name) => name !== 'card') ?? null);
    const pick = (_: MarkupScanner, classes: readonly string[]): string | null =>
      classes.includes('card') ? 'card' : null;
    const card =
      '<li class="card x"><a href="/1"><span class="name">A <span>b</span></span></a><b class="big price">$1</b><title>t</title>' +
      '<p>3 < 4</p><!-- <b class="name"> --><script>"</li>"</script></li>';
    let parts = 0;
    for (let round = 0; round < 3000; round += 1) {
      const html = mutated(`<ul>${card}<li>other</li>${card}</ul><a>x</a>`, random);
      const { elements, within } = elementsWithParts(html, { names, pick, pickPart });
      for (const [index, element] of elements.entries()) {
        const to = Math.min(element.to, elements[index + 1]?.start ?? element.to);
        const found = within(element, to);
        const text = html.slice(element.from, to);
        const alone = pageElements(text, (tag) => pickPart(tag, names.of(tag)));
        assert.deepEqual(found, { html: text, parts: alone }, html);
        parts += alone.length;
      }
    }
    assert.ok(parts > 9000);
  });

  test('the classes of a tag that are looked for come in its order, whatever blanks part them', () => {
    const names = new ClassNames(['price', 'name', 'x'.repeat(40)]);
    const found = (value: string): readonly string[] => {
      const tag = new MarkupScanner(`<b class="${value}">`);
      return tag.next() ? names.of(tag) : [];
    };
    assert.deepEqual(found(' name\tbig\nprice name'), ['name', 'price', 'name']);
    assert.deepEqual(found('names my-price Price'), []);
    assert.deepEqual(found(`é\u00a0price\u2003${'x'.repeat(40)}`), ['price', 'x'.repeat(40)]);
    assert.deepEqual(found(''), []);
    assert.deepEqual(found(`${'y '.repeat(500)}price`), []);
  });
});
