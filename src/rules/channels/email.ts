// Formats a notice as an email, as text and as HTML. Shop text is escaped, so that it is plain text in both. Pure.

import type { ChannelMessage, Target } from './channel.ts';
import { cardOf, type NoticeCard } from './notice-card.ts';
import { asHtml, escaped, fitted } from './plain-text.ts';
import type { Mail } from './receiver.ts';

/** Characters; mail programs show even fewer of a subject. */
const MAX_SUBJECT = 200;
const MAX_TEXT = 4_000;
const MAX_FACT = 200;

export function mailFor(target: Extract<Target, { kind: 'email' }>, message: ChannelMessage): Mail {
  const card = cardOf(message);
  const { id, kind, body, watchId } = message.notice;
  const product = fitted(body.product ?? '', { most: MAX_FACT });
  const footer =
    watchId === '' || product === ''
      ? `Sent by openshelf, ${kind === 'test' ? 'as a test of this channel' : 'for your watches'}.`
      : `Sent by openshelf for your watch of ${product}.`;
  return {
    id,
    to: target.to,
    subject: fitted(card.title, { most: MAX_SUBJECT }),
    text: textOf(card, footer),
    html: htmlOf(card, footer),
  };
}

function textOf({ title, text, facts, url, links }: NoticeCard, footer: string): string {
  const lines = facts.map(({ name, value }) => fitted(`${name}: ${value}`, { most: MAX_FACT }));
  const ways = links.map((link) => (link.url === url ? link.url : `${link.label}: ${link.url}`));
  const parts = [
    fitted(title, { most: MAX_SUBJECT }),
    fitted(text, { most: MAX_TEXT }),
    lines.join('\n'),
    ways.join('\n'),
    `-- \n${footer}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function htmlOf({ title, text, facts, url, imageUrl, links }: NoticeCard, footer: string): string {
  const line = (written: string, most: number) => fitted(written, { most, write: asHtml });
  const rows = facts.map(
    ({ name, value }) => `<tr><th align="left">${name}</th><td>${line(value, MAX_FACT)}</td></tr>`,
  );
  const heading = line(title, MAX_SUBJECT);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>',
    `<h2>${url === null ? heading : `<a href="${escaped(url, asHtml)}">${heading}</a>`}</h2>`,
    `<p>${line(text, MAX_TEXT)}</p>`,
    rows.length === 0 ? '' : `<table cellpadding="4">${rows.join('')}</table>`,
    imageUrl === null ? '' : `<p><img src="${escaped(imageUrl, asHtml)}" alt="" width="200"></p>`,
    links
      .filter((link) => link.url !== url && link.url !== imageUrl)
      .map((link) => `<p><a href="${escaped(link.url, asHtml)}">${link.label}</a></p>`)
      .join(''),
    `<p><small>${line(footer, MAX_FACT)}</small></p></body></html>`,
  ].join('');
}
