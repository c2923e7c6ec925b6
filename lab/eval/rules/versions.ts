// Five changes that a page goes through between two readings. Each keeps the words that a person sees around the chosen amount,
// except where the change itself replaces them.

import { MarkupScanner } from '../../../src/read/page-data/html/markup.ts';
import { VOID } from '../../../src/read/page-data/visible/lines/visible-text.ts';
import { linesOfPage } from '../../../src/read/candidates/page-texts.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';

/** Where the chosen amount stands. */
type Chosen = { readonly line: number; readonly from: number };

type Changed = {
  readonly html: string;
  /** How far each digit of the chosen amount was moved. */
  readonly step?: number;
};

type Version = (html: string, chosen: Chosen, random: () => number) => Changed | null;

type Range = { readonly name: string; readonly from: number; readonly to: number };

/** Returns the elements that are closed, outermost first. */
function elementsOf(html: string): readonly Range[] {
  const found: Range[] = [];
  const open: { name: string; from: number }[] = [];
  const tag = new MarkupScanner(html);
  while (tag.next()) {
    const { name } = tag;
    if (tag.kind === 'open') {
      if (!VOID.has(name) && tag.rawTo === tag.rawFrom) open.push({ name, from: tag.start });
      continue;
    }
    const at = open.findLastIndex((one) => one.name === name);
    const started = open[at];
    if (started === undefined) continue;
    open.length = at;
    found.push({ name, from: started.from, to: tag.end });
  }
  return found.toSorted((a, b) => a.from - b.from);
}

/** Returns the position of the chosen amount in the source. */
function sourceOf(html: string, { line, from }: Chosen): number {
  const pieces = linesOfPage(html)[line]?.pieces ?? [];
  return pieces.findLast((piece) => piece.from <= from + 1)?.source ?? 0;
}

const BLOCKS = new Set(['div', 'section', 'ul', 'table', 'article', 'form', 'p', 'aside']);

/** Replaces every class and id by another, the same one everywhere. */
function renamed(html: string): string {
  return html.replaceAll(
    /\b(class|id|data-testid|data-test|data-qa)=(["'])([^"'<>]*)\2/gi,
    (_, attribute: string, quote: string, words: string) =>
      `${attribute}=${quote}${words.replaceAll(/[a-z]/gi, (letter) => String.fromCodePoint((((letter.toLowerCase().codePointAt(0) ?? 97) - 97 + 7) % 26) + 97))}${quote}`,
  );
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  div: 'section',
  section: 'div',
  span: 'strong',
  strong: 'span',
  b: 'span',
  p: 'div',
  li: 'div',
  ul: 'section',
};

function redesigned(html: string): string {
  return html.replaceAll(
    /<(\/?)(div|section|span|strong|b|p|li|ul)(?=[\s>])/gi,
    (_, slash: string, name: string) => {
      return `<${slash}${OTHER_NAMES[name.toLowerCase()] ?? name}`;
    },
  );
}

/** Replaces every digit but zero by another, the same one everywhere: another product has other numbers. */
export const otherDigits = (text: string, step: number): string =>
  text.replaceAll(/&#?\w+;|[1-9]/g, (digit) =>
    digit.length > 1 ? digit : String(1 + ((Number(digit) - 1 + step) % 9)),
  );

export const VERSIONS: Readonly<Record<string, Version>> = {
  'class names': (html) => ({ html: renamed(html) }),
  order: (html, chosen, random) => {
    const at = sourceOf(html, chosen);
    let changed = html;
    for (let moved = 0; moved < 3; moved += 1) {
      const here = changed === html ? at : null;
      const text = here === null ? changed : html;
      const blocks = elementsOf(text).filter(
        ({ name, from, to }) =>
          BLOCKS.has(name) &&
          to - from > 60 &&
          to - from < 6_000 &&
          !text.slice(from, to).includes(MARKER) &&
          !/<h1[\s>]/i.test(text.slice(from, to)),
      );
      if (moved === 0) {
        changed = `${html.slice(0, at)}${MARKER}${html.slice(at)}`;
        continue;
      }
      if (blocks.length < 2) break;
      const { from, to } = pick(random, blocks);
      const block = changed.slice(from, to);
      const rest = changed.slice(0, from) + changed.slice(to);
      const targets = elementsOf(rest).filter(({ name }) => BLOCKS.has(name));
      if (targets.length === 0) break;
      const target = pick(random, targets);
      changed = rest.slice(0, target.from) + block + rest.slice(target.from);
    }
    return { html: changed.replace(MARKER, '') };
  },
  redesign: (html) => ({ html: redesigned(renamed(html)) }),
  'another product': (html, _, random) => {
    const heading = /<h1\b[^>]*>([\s\S]{0,2000}?)<\/h1>/i.exec(html)?.[1];
    const step = 1 + integerBelow(random, 8);
    let changed = html;
    const pieces = linesOfPage(html).flatMap(({ pieces: all }) => all);
    for (const { source } of pieces.toReversed()) {
      // A comment does not end a text.
      const end = source + changed.slice(source).search(/<(?!!--)/);
      if (end < source) continue;
      changed =
        changed.slice(0, source) +
        otherDigits(changed.slice(source, end), step) +
        changed.slice(end);
    }
    const other =
      heading === undefined
        ? changed
        : changed.replace(
            /(<h1\b[^>]*>)[\s\S]{0,2000}?(?=<\/h1>)/i,
            '$1Another fine thing of this shop',
          );
    return { html: other, step };
  },
  'cross-sell': (html, chosen, random) => {
    const at = sourceOf(html, chosen);
    const around = elementsOf(html).findLast(
      ({ name, from, to }) => BLOCKS.has(name) && from < at && to > at && to - from < 4_000,
    );
    if (around === undefined) return null;
    const block = html.slice(around.from, around.to);
    const amount = html.slice(at, html.indexOf('<', at));
    const own = elementsOf(html).findLast(({ from, to }) => from < at && to > at);
    const opened =
      own === undefined ? '<b>' : html.slice(own.from, html.indexOf('>', own.from) + 1);
    const other = otherDigits(amount, 1 + integerBelow(random, 8));
    const name = pick(random, [
      'Garden lamp Luna',
      'Dog lead, 2 m',
      'Kettle 1.7 l',
      'Reading glasses',
    ]);
    const tile = `<div class="card"><a href="/p/77"><img src="/i/77.jpg" alt=""> ${name}</a> ${opened}${other}</${own?.name ?? 'b'}></div>`;
    return { html: `${html.slice(0, around.from)}${tile}${block}${html.slice(around.to)}` };
  },
};

/** Marks the chosen amount while other parts of the page move. */
const MARKER = '<!--chosen-->';
