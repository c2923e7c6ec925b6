import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { hasBuyButton } from '../../../src/read/page-data/visible/lines/visible-buttons.ts';
import { visibleLines } from '../../../src/read/page-data/visible/lines/visible-lines.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const LINE = '<p>A line of text that is as long as this one.</p>';
const BUTTON = '<button>Add to cart</button>';

const linesOf = (behind: string, isToBuy: boolean) => {
  const html = `<html><body><h1>A thing</h1>${behind}</body></html>`;
  const page = { html, scripts: [], styles: [] };
  return visibleLines(page, html.indexOf('<h1>'), { isNear: false, isToBuy, isUnpriced: false });
};

describe('lines around a heading', () => {
  test('where only a page with a button to buy counts, they end behind the last place of one', () => {
    const all = linesOf(LINE.repeat(120), false);
    const some = linesOf(LINE.repeat(120), true);
    assert.deepEqual(some.lines, all.lines.slice(0, some.lines.length));
    assert.ok((some.lines.at(-1)?.at ?? 0) < 3500 && some.lines.length < all.lines.length);
  });

  test('with such a button they are all the lines that are read of any page', () => {
    for (const before of [0, 10, 70]) {
      const text = `${LINE.repeat(before)}${BUTTON}${LINE.repeat(120 - before)}${BUTTON}`;
      assert.ok(hasBuyButton(linesOf(text, true).buttons));
      assert.deepEqual(linesOf(text, true), linesOf(text, false));
    }
  });

  test('what stands in a template is not shown, unless it is the shadow root of an element', () => {
    const textsOf = (html: string) => linesOf(html, false).lines.map(({ text }) => text);
    const inside = (start: string) => textsOf(`${start}<p>inside</p></template><p>behind</p>`);
    assert.deepEqual(inside('<template>'), ['A thing', 'behind']);
    assert.deepEqual(inside('<b><template shadowrootmode="open">'), [
      'A thing',
      'inside',
      'behind',
    ]);
  });

  test('templates that never end are looked for once', () => {
    const start = cpuMs();
    linesOf('<template>'.repeat(20_000), false);
    // Searching for them each time takes four seconds.
    assert.ok(cpuMs() - start < 1000);
  });

  test('a button that cannot be pressed, or stands too far away, buys nothing', () => {
    const texts = ['<button disabled>Add to cart</button>', `${LINE.repeat(90)}${BUTTON}`, ''];
    for (const text of texts) {
      assert.equal(hasBuyButton(linesOf(text, false).buttons), false, text);
      assert.equal(hasBuyButton(linesOf(text, true).buttons), false, text);
    }
  });
});
