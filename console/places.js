// Lookups as browser history entries, so that Back returns to the previous lookup. The answers of each are kept unchanged,
// so that going back costs nothing.

import { el, fill } from './dom.js';
import { session } from './session.js';

/**
 * A lookup and its view on the page. `end` cancels its pending requests; `title`: of the tab, as last shown.
 * @typedef {{ id: string, query: string, view: HTMLElement, end: AbortController, title: string }} Place
 */
/**
 * `start` shows the lookup in the address; `begin` opens a new lookup, or, with `isHere`, one already in the address.
 * @typedef {{
 *   start: () => void, begin: (query: string, end: AbortController, isHere?: boolean) => Place,
 *   isCurrent: (place: Place) => boolean,
 * }} Places
 */

/** The maximum number of lookups kept. Each may be a table with all its rows. */
const MOST_KEPT = 10;
/**
 * The maximum length of the text that goes into the address. A longer address is neither shared nor accepted by every
 * server.
 */
const LONGEST_SHARED = 2_000;

/**
 * @param {HTMLElement} result where they are shown
 * @param {{ arrived: (query: string) => void, lookUp: (query: string) => void, signal: AbortSignal }} given
 *   `arrived` receives the lookup that the page is now at, '' for none; `lookUp` is called when nothing is kept for the
 *   lookup in the address
 * @returns {Places}
 */
export function createPlaces(result, { arrived, lookUp, signal }) {
  const book = newBook();
  /** @param {Place | null} place */
  const show = (place) => {
    leave(book);
    book.current = place;
    if (place === null) fill(result);
    else {
      document.title = place.title;
      fill(result, place.view);
    }
    arrived(place?.query ?? '');
  };
  const start = () => {
    if (isOfAnother(history.state)) history.replaceState(null, '', location.pathname);
    const query = queryOfAddress();
    if (query === '') {
      history.replaceState(stateOf(''), '');
      show(null);
    } else {
      arrived(query);
      lookUp(query);
    }
  };
  const turned = (/** @type {PopStateEvent} */ { state }) => {
    const here = book.current?.id ?? '';
    // An entry without a state belongs to a fragment, such as that of the skip-to-content link. It shows the same lookup.
    if (state === null) history.replaceState(stateOf(here), '');
    else if (state.place !== here) {
      const place = isOfAnother(state) ? undefined : book.kept.get(state.place);
      if (place === undefined) start();
      else show(place);
    }
  };
  addEventListener('popstate', turned, { signal });
  signal.addEventListener('abort', () => close(book), { once: true });
  return {
    start,
    begin(query, end, isHere = false) {
      const isSame = book.current?.query === query;
      if (book.current !== null && isSame) forget(book, book.current);
      leave(book);
      const place = newPlace(book, query, end);
      const shared = query.length <= LONGEST_SHARED ? `?q=${encodeURIComponent(query)}` : '';
      const address = location.pathname + shared;
      if (isHere || isSame) history.replaceState(stateOf(place.id), '', address);
      else history.pushState(stateOf(place.id), '', address);
      fill(result, place.view);
      return place;
    },
    isCurrent: (place) => place === book.current,
  };
}

/** @typedef {{ kept: Map<string, Place>, current: Place | null, made: number, tabTitle: string }} Book */

/** @returns {Book} */
function newBook() {
  return { kept: new Map(), current: null, made: 0, tabTitle: document.title };
}

/**
 * @param {Book} book
 * @param {string} query
 * @param {AbortController} end
 */
function newPlace(book, query, end) {
  book.made += 1;
  // The time makes the id unique in this tab, where other documents have numbered their places too.
  const id = `${performance.timeOrigin} ${book.made}`;
  const place = { id, query, view: el('div'), end, title: book.tabTitle };
  book.kept.set(id, place);
  book.current = place;
  return place;
}

/** @param {Book} book */
function leave(book) {
  const { current, kept } = book;
  if (current === null) return;
  current.title = document.title;
  document.title = book.tabTitle;
  if (isUnfinished(current.view)) forget(book, current);
  for (const oldest of [...kept.values()].slice(0, -MOST_KEPT)) forget(book, oldest);
  book.current = null;
}

/**
 * @param {Book} book
 * @param {Place} place
 */
function forget({ kept }, place) {
  kept.delete(place.id);
  place.end.abort();
}

/** @param {Book} book */
function close(book) {
  for (const place of book.kept.values()) forget(book, place);
  // The address contains the lookup, for bookmarks. It is removed, so that the next person to sign in does not see it.
  history.replaceState(null, '', location.pathname);
}

/** Returns the lookup in the address of the page. */
function queryOfAddress() {
  return (new URLSearchParams(location.search).get('q') ?? '').trim();
}

/** Returns the state of a history entry. @param {string} place */
function stateOf(place) {
  return { place, by: session()?.id ?? '' };
}

/** Returns whether an entry belongs to somebody who has signed out. @param {{ by: string } | null} state */
function isOfAnother(state) {
  return state !== null && state.by !== (session()?.id ?? '');
}

/**
 * Returns whether a view is still waiting for answers. Leaving it cancels its calls, so that nobody is charged for results
 * that nobody sees.
 * @param {HTMLElement} view
 */
function isUnfinished(view) {
  return view.childElementCount === 0 || view.querySelector('[aria-busy]') !== null;
}
