// A channel of kind `feed` as Atom (RFC 4287): one entry for each notice, newest first. Pure.

import { isoTimestamp } from '../../base/clock.ts';
import type { Notice } from '../watches/stored-watch.ts';
import { cardOf } from './notice-card.ts';
import { asHtml, escaped, fitted, plainLine } from './plain-text.ts';

const MAX_TITLE = 200;
const MAX_TEXT = 2_000;

type Feed = {
  /** The channel's id and name. */
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly notices: readonly { readonly notice: Notice; readonly watchUrl: string | null }[];
};

export function atomOf({ id, name, createdAtMs, notices }: Feed): string {
  const text = (written: string, most: number) => xml(fitted(written, { most }));
  const entries = notices.map(({ notice, watchUrl }) => {
    const {
      title,
      text: why,
      facts,
      url,
      imageUrl,
      links,
    } = cardOf({ notice, data: {}, watchUrl });
    const lines = facts.map(({ name: fact, value }) => `<li>${html(`${fact}: ${value}`)}</li>`);
    const picture =
      imageUrl === null ? '' : `<p><img src="${html(imageUrl)}" alt="" width="200"></p>`;
    const ways = links.map(({ label, url: to }) => `<a href="${html(to)}">${html(label)}</a>`);
    const content = `<p>${html(why)}</p><ul>${lines.join('')}</ul>${picture}<p>${ways.join(' · ')}</p>`;
    const link = url ?? watchUrl;
    return (
      `<entry><id>urn:openshelf:${xml(notice.id)}</id><title>${text(title, MAX_TITLE)}</title>` +
      `<updated>${isoTimestamp(notice.atMs)}</updated>` +
      (link === null ? '' : `<link href="${xml(link)}"/>`) +
      `<content type="html">${xml(content)}</content></entry>`
    );
  });
  const updatedMs = Math.max(createdAtMs, ...notices.map(({ notice }) => notice.atMs));
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">' +
    `<id>urn:openshelf:${xml(id)}</id><title>${text(name, MAX_TITLE)}</title>` +
    `<updated>${isoTimestamp(updatedMs)}</updated><author><name>openshelf</name></author>` +
    `${entries.join('\n')}</feed>\n`
  );
}

const html = (text: string): string => fitted(text, { most: MAX_TEXT, write: asHtml });

/** XML 1.0 has no noncharacters U+FFFE and U+FFFF; control characters are removed from lines. */
const xml = (text: string): string =>
  escaped(plainLine(text).replaceAll(/[\ufffe\uffff]/g, ''), asHtml);
