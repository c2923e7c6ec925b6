// The watches page: what is watched, each watch's last observation, its next check, and its notices.

import { call, nextEvent, slept } from './api.js';
import { el, fill, keepFocus, problemLine } from './dom.js';
import { counted } from './format.js';
import { watchCard } from './watch-card.js';
import { newWatchForm } from './watch-form.js';

/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchOnWire} Watch */
/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchList} WatchList */
/** @typedef {import('../src/answer/wire/watches/sparkline.ts').SparklineList} SparklineList */

const PAGE = 50;
/** Seconds between checks of watches that have not read anything yet. */
const LOOKS = [1, 2, 3, 5, 8, 15, 30];

/**
 * The elements of the page.
 * @typedef {{
 *   form: HTMLDetailsElement | null, list: HTMLElement, count: HTMLElement, more: HTMLElement, said: HTMLElement,
 *   shown: Map<string, { text: string, element: HTMLElement }>, most: number, looking: AbortController,
 *   tags: HTMLElement, tag: string,
 * }} Page
 */

/** @param {HTMLElement} content */
export function show(content) {
  /** @type {Page} */
  const page = {
    form: null,
    list: el('div', {}),
    count: el('p', { class: 'soft', role: 'status' }),
    more: el('div', {}),
    said: el('div', { role: 'status' }),
    shown: new Map(),
    most: PAGE,
    looking: new AbortController(),
    tags: el('p', { class: 'tags' }),
    tag: new URLSearchParams(location.search).get('tag') ?? '',
  };
  page.form = newWatchForm({ said: page.said, reload: () => void load(page) });
  fill(
    content,
    el('h1', {}, 'Watches'),
    el(
      'p',
      { class: 'soft' },
      'A watch checks a product automatically and notifies you when its price or stock meets your conditions.',
    ),
    page.form,
    page.said,
    page.count,
    page.tags,
    page.list,
    page.more,
  );
  void load(page).then(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  void follow(page, content);
}

/**
 * Reads the watches again whenever something that they watch has changed, and when a stream ends: a watch that fails is no
 * change. Pauses while nobody looks.
 * @param {Page} page
 * @param {HTMLElement} content
 */
async function follow(page, content) {
  for (let last = /** @type {string | null} */ (''); last !== null;) {
    last = await nextEvent('/v1/changes', last);
    while (document.hidden) await slept(1_000);
    if (!content.contains(page.list)) return;
    if (last !== null) await read(page, page.looking.signal, true);
    // A proxy may end every stream at once.
    await slept(last === null ? 30_000 : 2_000);
    last ??= '';
  }
}

/**
 * Reads the watches, and repeats that while one of them is still reading its first price.
 * @param {Page} page
 */
async function load(page) {
  page.looking.abort();
  const looking = new AbortController();
  page.looking = looking;
  const { signal } = looking;
  let watches = await read(page, signal);
  for (const seconds of LOOKS) {
    const isWaited = watches?.some(
      ({ last_read_at: at, state }) => at === null && state === 'active',
    );
    if (isWaited !== true) return;
    await slept(seconds * 1_000, signal);
    if (signal.aborted) return;
    watches = await read(page, signal);
  }
}

/**
 * @param {Page} page
 * @param {AbortSignal} signal
 * @param {boolean} [isLive] nobody asked for it: what is being used stays as it is
 * @returns {Promise<readonly Watch[] | null>} null if they could not be read
 */
async function read(page, signal, isLive = false) {
  /** @type {Watch[]} */
  const watches = [];
  let next = /** @type {string | null} */ ('');
  while (next !== null && watches.length < page.most) {
    const after =
      (next === '' ? '' : `&cursor=${encodeURIComponent(next)}`) +
      (page.tag === '' ? '' : `&tag=${encodeURIComponent(page.tag)}`);
    const answer = /** @type {import('./api.js').Answer<WatchList>} */ (
      await call(`/v1/watches?limit=${PAGE}${after}`, { signal })
    );
    if (signal.aborted) return null;
    if (!answer.ok && isLive) return null;
    if (!answer.ok) {
      fill(page.list, problemLine(answer.problem.detail));
      page.shown.clear();
      return null;
    }
    watches.push(...answer.body.watches);
    ({ next } = answer.body);
  }
  const lines = await sparklinesOf(watches, signal);
  if (signal.aborted) return null;
  keepFocus(page.list, 'data-watch', () => place(page, watches, lines, isLive));
  fill(page.tags, tagsOf(page, watches));
  fill(page.count, countOf(watches, next !== null));
  const { most } = page;
  fill(
    page.more,
    next === null
      ? null
      : el(
          'button',
          { type: 'button', onclick: () => ((page.most = most + PAGE), void load(page)) },
          'Show more',
        ),
  );
  return watches;
}

/**
 * Cards that have not changed stay as they are, including unfolded sections and typed text.
 * @param {Page} page
 * @param {readonly Watch[]} watches
 * @param {ReadonlyMap<string, string>} lines
 * @param {boolean} isLive
 */
function place(page, watches, lines, isLive) {
  const { list, shown, said } = page;
  const feedback = { said, reload: () => void load(page) };
  const ids = new Set(watches.map(({ id }) => id));
  for (const id of shown.keys()) if (!ids.has(id)) shown.delete(id);
  const cards = watches.map((watch) => {
    const line = lines.get(watch.id) ?? null;
    const text = JSON.stringify([watch, line]);
    const before = shown.get(watch.id);
    const isUsed = isLive && before?.element.querySelector('details[open]') !== null;
    if (before !== undefined && (before.text === text || isUsed)) return before.element;
    const element = watchCard(watch, line, feedback);
    shown.set(watch.id, { text, element });
    return element;
  });
  if (cards.length === 0) {
    if (page.form !== null) page.form.open = true;
    fill(
      list,
      el(
        'p',
        { class: 'empty' },
        page.tag === ''
          ? 'Nothing is watched yet. Enter a barcode above, or use the button “Watch” on a product.'
          : 'No watch has this tag.',
      ),
    );
    return;
  }
  // Removed cards go first, so that no card already in its place is moved: moving it would lose the focus.
  const kept = new Set(/** @type {readonly Element[]} */ (cards));
  const gone = [...list.children].filter((each) => !kept.has(each));
  for (const each of gone) each.remove();
  cards.forEach((card, at) => {
    if (list.children[at] !== card) list.insertBefore(card, list.children[at] ?? null);
  });
}

/**
 * Returns links to the watches of each tag, or to all.
 * @param {Page} page
 * @param {readonly Watch[]} watches
 */
function tagsOf({ tag }, watches) {
  const tags = [...new Set(watches.flatMap((each) => each.tags))].toSorted();
  const link = (/** @type {string} */ href, /** @type {string} */ words) =>
    el('a', { href }, words);
  if (tag !== '') return [`Tag: ${tag} · `, link('/console/watches', 'all watches')];
  return tags.flatMap((each, at) => [
    at === 0 ? 'Tags: ' : ' · ',
    link(`/console/watches?tag=${encodeURIComponent(each)}`, each),
  ]);
}

/**
 * @param {readonly Watch[]} watches
 * @param {boolean} hasMore
 */
function countOf(watches, hasMore) {
  if (watches.length === 0) return '';
  const troubled = watches.filter(({ state }) => state === 'failing' || state === 'out_of_tokens');
  const paused = watches.filter(({ state }) => state === 'paused').length;
  return [
    hasMore ? `the newest ${watches.length} watches` : counted(watches.length, 'watch', 'watches'),
    troubled.length === 0 ? null : `${troubled.length} in trouble`,
    paused === 0 ? null : `${paused} paused`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/**
 * Returns the sparkline addresses by watch.
 * @param {readonly Watch[]} watches
 * @param {AbortSignal} signal
 */
async function sparklinesOf(watches, signal) {
  const ids = watches.filter(({ last_read_at: at }) => at !== null).map(({ id }) => id);
  /** @type {Map<string, string>} */
  const lines = new Map();
  for (let from = 0; from < ids.length; from += PAGE) {
    const some = ids.slice(from, from + PAGE).join(',');
    const answer = /** @type {import('./api.js').Answer<SparklineList>} */ (
      await call(`/v1/watches/sparklines?ids=${some}`, { signal })
    );
    // Watches without their sparklines are better than no watches.
    if (!answer.ok) break;
    for (const { watch_id: id, sparkline } of answer.body.sparklines) lines.set(id, sparkline);
  }
  return lines;
}
