// The texts of a whole page, line by line, each piece with the path of its element: what a person sees, and where it stands.
// visible-lines.ts reads the part around the heading for the readers; this reads everything, and only when somebody asks.

import { cleanText } from '../../base/listing/text/text.ts';
import { MarkupScanner, templateEnd } from '../page-data/html/markup.ts';
import { glueBetween, IN_LINE, RAISED, VOID } from '../page-data/visible/lines/visible-text.ts';

/** A part of a line; it starts at `from` in the line's text, at `source` in the page, and ends where the next begins. */
type TextPiece = { readonly from: number; readonly source: number; readonly path: string };

export type TextLine = { readonly text: string; readonly pieces: readonly TextPiece[] };

/** Maximum number of lines and of characters in a line: the text is shown to a person. */
const LINES = 5_000;
const LINE_LENGTH = 600;
const DEPTH = 256;
/** How many levels of elements name a place. */
const LEVELS = 5;

/** Comments, instructions and sections that a browser does not show. */
const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)/g;

/** Returns the lines of a page's text in page order. Never throws: any markup produces lines. */
export function linesOfPage(html: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  const stack: { readonly name: string; readonly step: string; readonly isHidden: boolean }[] = [];
  let text = '';
  let pieces: TextPiece[] = [];
  let at = 0;
  const endLine = (): void => {
    const whole = text.trimEnd();
    if (whole !== '') lines.push({ text: whole, pieces });
    text = '';
    pieces = [];
  };
  const add = (source: string, sourceAt: number): void => {
    const inner = stack.at(-1);
    if (inner?.isHidden === true || text.length >= LINE_LENGTH) return;
    // The spaces around a text separate it from its neighbours on the line.
    const clean = cleanText(source.replaceAll(UNSEEN, ' '), LINE_LENGTH);
    const isSpaced = /^\s/.test(source);
    if (clean === '') {
      if (isSpaced && text !== '' && !text.endsWith(' ')) text += ' ';
      return;
    }
    const glue =
      text === '' || text.endsWith(' ')
        ? ''
        : isSpaced
          ? ' '
          : glueBetween(text, clean, RAISED.has(inner?.name ?? ''));
    text += glue;
    pieces.push({ from: text.length, source: sourceAt, path: pathOf(stack) });
    text += /\s$/.test(source) ? `${clean} ` : clean;
  };
  const tag = new MarkupScanner(html);
  while (lines.length < LINES && tag.next()) {
    if (tag.start > at) add(html.slice(at, tag.start), at);
    const { name } = tag;
    if (!IN_LINE.has(name)) endLine();
    at = tag.end;
    if (tag.kind === 'close') {
      const open = stack.findLastIndex((element) => element.name === name);
      if (open >= 0) stack.length = open;
      continue;
    }
    if (tag.rawTo > tag.rawFrom) {
      const end = html.indexOf('>', tag.rawTo);
      at = end < 0 ? html.length : Math.max(at, end + 1);
    } else if (name === 'template') {
      const end = templateEnd(tag);
      if (end < 0) {
        at = html.length;
        break;
      }
      tag.skipTo(end);
      at = end;
      continue;
    }
    if (VOID.has(name) || stack.length >= DEPTH || tag.rawTo > tag.rawFrom) continue;
    const isHidden = stack.at(-1)?.isHidden === true || isHiddenTag(tag);
    stack.push({ name, step: stepOf(tag), isHidden });
  }
  // Another tag there never ends, or hides the rest of the page.
  if (lines.length < LINES) add(html.slice(at).replace(/<[a-z/][\s\S]*$/i, ''), at);
  endLine();
  return lines;
}

function isHiddenTag(tag: MarkupScanner): boolean {
  if (tag.name === 'noscript') return true;
  return (
    tag.attribute('hidden') !== null || /display\s*:\s*none/i.test(tag.attribute('style') ?? '')
  );
}

/** Attributes whose values name an element for as long as its layout exists. */
const NAMING = ['id', 'itemprop', 'data-testid', 'data-test', 'data-qa'];
/** A word of a name: not a number, a hash or an id of the product. */
const LASTING_WORD = /^[a-z][a-z_-]{1,39}$/i;

/** Returns the element and its lasting names: `span.price.sale`. */
function stepOf(tag: MarkupScanner): string {
  const named = NAMING.map((name) => tag.attribute(name))
    .filter((value) => value !== null && LASTING_WORD.test(value))
    .map((value) => `#${value}`);
  const words = (tag.attribute('class') ?? '').slice(0, 500).split(/\s+/);
  const classes = words.filter((word) => LASTING_WORD.test(word)).slice(0, 6);
  return [tag.name, ...named, ...classes.map((word) => `.${word}`)].join('');
}

function pathOf(stack: readonly { readonly step: string }[]): string {
  return stack
    .slice(-LEVELS)
    .map(({ step }) => step)
    .join(' ');
}
