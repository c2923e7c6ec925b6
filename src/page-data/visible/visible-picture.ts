// The picture of the product that a page shows and no data of it states: the first one near the heading whose description is the
// name of the product, as shops write it for those who cannot see it.

import { decodeEntities } from '../../listing/text/text.ts';
import type { HtmlPage } from '../html/html.ts';
import { MarkupScanner } from '../html/markup.ts';
import { bareName } from '../page-names.ts';

/** Characters of source before and behind the heading. */
const SOURCE = { before: 40_000, behind: 60_000 };
const MOST_PICTURES = 80;
/** Letters more than the name that its description may have: "Picture of …". */
const MORE = 24;
const DESCRIBING = ['alt', 'title'] as const;
/** Where the address stands: pictures that are loaded late have a blank one in `src`. */
const ADDRESS = ['data-zoom-image', 'data-large_image', 'data-src', 'src'] as const;
/** A picture in the address itself, and what stands for one that is missing or to come. */
const NO_PICTURE =
  /^data:|^\s*$|\.svg(?:$|\?)|(?:no[-_]?image|placeholder|blank|spacer|loading|lazy)[^/]*$/i;

function addressOf(tag: MarkupScanner): string | null {
  for (const attribute of ADDRESS) {
    const written = tag.attribute(attribute);
    if (written !== null && !NO_PICTURE.test(written)) return decodeEntities(written.trim());
  }
  return null;
}

function isOf(tag: MarkupScanner, name: string): boolean {
  return DESCRIBING.some((attribute) => {
    const written = tag.attribute(attribute);
    if (written === null || written.length > 400) return false;
    const bare = bareName(decodeEntities(written));
    return bare === name || (bare.includes(name) && bare.length <= name.length + MORE);
  });
}

/** The address of the picture as written; null without one. `at`: where the main heading opens. */
export function visiblePicture({ html }: HtmlPage, title: string, at: number): string | null {
  const name = bareName(title);
  if (name.length < 4) return null;
  const end = Math.min(html.length, at + SOURCE.behind);
  let start = html.indexOf('<img', Math.max(0, at - SOURCE.before));
  for (let count = 0; start >= 0 && start < end && count < MOST_PICTURES; count += 1) {
    const tag = new MarkupScanner(html, start, end);
    if (!tag.next()) return null;
    if (isOf(tag, name)) {
      const address = addressOf(tag);
      if (address !== null) return address;
    }
    start = html.indexOf('<img', start + 4);
  }
  return null;
}
