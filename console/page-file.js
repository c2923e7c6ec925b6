// Reads a saved page that somebody gives to the console, asks for its address, and hands it in.

import { call } from './api.js';
import { el, fill, oneAtATime, problemLine, table } from './dom.js';
import { day, plain } from './format.js';

/** @typedef {import('zod').infer<typeof import('../src/answer/wire/handed-in.ts').PageRecord>} PageRecord */

/**
 * Shows a form with the address that the page states. Nothing is sent before somebody has confirmed it.
 * @param {File} file
 * @param {HTMLElement} report
 */
export async function readPageFile(file, report) {
  const html = await textOf(file);
  const url = el('input', {
    id: 'page-url',
    type: 'url',
    required: true,
    value: statedAddress(html),
  });
  const said = el('div', { role: 'status' });
  const submit = oneAtATime(async () => {
    fill(said, el('p', { class: 'soft' }, 'Reading the page…'));
    // A saved page was seen when it was saved.
    const seen = new Date(file.lastModified).toISOString();
    const body = { url: url.value.trim(), html, captured_at: seen };
    const answer = /** @type {import('./api.js').Answer<PageRecord>} */ (
      await call('/v1/pages', { method: 'POST', body })
    );
    fill(said, answer.ok ? shownPage(answer.body.page) : problemLine(wordsOf(answer.problem)));
  });
  const saved = `${plain(file.name, 120)}, saved ${day(new Date(file.lastModified).toISOString())}.`;
  fill(
    report,
    el(
      'p',
      { class: 'soft' },
      saved,
      ' Your organization keeps the facts that it states about the product.',
    ),
    el(
      'form',
      { class: 'fields', onsubmit: submit },
      el('p', { class: 'grow' }, el('label', { for: 'page-url' }, 'Address of the page'), url),
      el('button', { type: 'submit' }, 'Hand in the page'),
    ),
    said,
  );
  url.focus();
}

/** @param {import('./api.js').Problem} problem */
function wordsOf({ code, detail }) {
  const words = plain(detail, 600);
  return code === 'insufficient_scope' ? `${words} Sign in with a key that has this scope.` : words;
}

/** Decodes the file with the charset that the page declares near its start. @param {File} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 4_096));
  const charset = /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Returns the address that the browser recorded when it saved the page, else the page's canonical address; '' if there is
 * neither.
 * @param {string} html
 */
function statedAddress(html) {
  const noted = /<!-- saved from url=\(\d+\)(\S+) -->/.exec(html.slice(0, 4_096))?.[1];
  const tags = html.match(/<(?:link|meta)\s[^<>]{1,2000}>/gi) ?? [];
  const named = (/** @type {RegExp} */ name, /** @type {RegExp} */ value) =>
    value.exec(tags.find((tag) => name.test(tag) && value.test(tag)) ?? '')?.[1];
  const stated =
    noted ??
    named(/\srel=["']?canonical\b/i, /\shref=["']?(https?:[^"'\s>]+)/i) ??
    named(/\sproperty=["']?og:url\b/i, /\scontent=["']?(https?:[^"'\s>]+)/i);
  return (stated ?? '').replaceAll('&amp;', '&');
}

/** @param {PageRecord['page']} page */
function shownPage({ url, read, missing }) {
  return el(
    'div',
    {},
    table(
      'What was read on the page',
      ['Field', 'Value', 'From'],
      read.map(({ field, value, from }) => [
        plain(field, 40),
        el('bdi', {}, plain(String(value), 200)),
        (from ?? 'unknown').replace('_', '-'),
      ]),
      'blocks',
    ),
    missing.length === 0 ? null : el('p', { class: 'soft' }, `Not stated: ${missing.join(', ')}.`),
    el('p', {}, el('a', { href: `/console?q=${encodeURIComponent(url)}` }, 'Open the record')),
  );
}
