// Shows the text of a product page with every amount, stock word and barcode marked, and why each was taken or not.

import { call, productPath } from './api.js';
import { el, fill, folded, outward, problemLine } from './dom.js';
import { age, nativeAmount, plain, seen, underHosts } from './format.js';

/** @typedef {import('../src/answer/wire/candidates.ts').CandidatesOnWire} PageText */
/** @typedef {PageText['candidates'][number]} Candidate */

const FETCHING = 'Fetching the page…';

/**
 * Creates the section. The page is fetched when it is unfolded, and again after a failure.
 * @param {string} id an address, or the ID of a retailer
 * @param {AbortSignal} signal
 */
export function pageTextPart(id, signal) {
  const box = el('div', {});
  let isRead = false;
  const details = folded(
    'What was read on the page',
    el('p', { class: 'soft' }, 'The page is fetched now. That is free, and nothing is stored.'),
    box,
  );
  details.addEventListener('toggle', async () => {
    if (!details.open || isRead) return;
    isRead = true;
    const status = el('p', { class: 'soft busy', role: 'status' }, FETCHING);
    fill(box, status);
    const waiting = (/** @type {string | null} */ words) =>
      (status.textContent = words ?? FETCHING);
    const answer = /** @type {import('./api.js').Answer<PageText>} */ (
      await call(`${productPath(id)}/candidates`, { signal, waiting })
    );
    if (signal.aborted) return;
    isRead = answer.ok;
    fill(
      box,
      answer.ok
        ? shownPage(answer.body)
        : problemLine(underHosts(plain(answer.problem.detail, 600))),
    );
  });
  return details;
}

/** @param {PageText} page */
function shownPage({ url, fetched_at: fetchedAt, not_read_because: reason, lines, candidates }) {
  // Those of data are under -1.
  const byLine = Map.groupBy(candidates, ({ place }) => place?.line ?? -1);
  return el(
    'div',
    {},
    el(
      'p',
      {},
      outward(url, 'The page'),
      fetchedAt === null ? ' was not fetched.' : ` was fetched ${age(fetchedAt)}.`,
      reason === null ? '' : ` Nothing was taken: ${plain(reason)}.`,
    ),
    (byLine.get(-1) ?? []).map(reasonOf),
    lines.length === 0
      ? null
      : el(
          'div',
          { class: 'page-text', tabindex: 0, role: 'region', 'aria-label': 'Text of the page' },
          lines.flatMap((line, at) => shownLine(line, byLine.get(at) ?? [])),
        ),
  );
}

/** @param {string} line @param {readonly Candidate[]} found on the line */
function shownLine(line, found) {
  const places = found.flatMap(({ place, taken }) => (place ? [{ ...place, taken }] : []));
  const cuts = places.flatMap(({ start, end }) => [start, end]);
  const ends = [...new Set([...cuts, line.length])].sort((a, b) => a - b);
  const pieces = ends.map((end, at) => {
    const from = ends[at - 1] ?? 0;
    const text = seen(line.slice(from, end));
    const on = places.filter((each) => each.start <= from && end <= each.end && from < end);
    if (on.length === 0) return text;
    return el('mark', { class: on.some(({ taken }) => taken) ? 'taken' : null }, text);
  });
  return [el('p', {}, el('bdi', {}, pieces)), ...found.map(reasonOf)];
}

const FIELDS = { price: 'Price', in_stock: 'Stock', gtin: 'Barcode' };

/** @param {Candidate} candidate */
function reasonOf({ field, value, currency, from, place, taken, why }) {
  const name = FIELDS[field] ?? plain(field, 20);
  const shown =
    typeof value === 'number'
      ? nativeAmount({ amount: value, currency })
      : typeof value === 'string'
        ? plain(value, 20)
        : `${value ? 'in' : 'out of'} stock`;
  const source = place === null ? ` in ${plain(from, 20).replace('_', '-')}` : '';
  return el(
    'p',
    { class: 'soft why' },
    `${name}${source}: ${shown}. `,
    el('span', { class: `state ${taken ? 'good' : 'quiet'}` }, taken ? 'Taken.' : 'Not taken.'),
    ` ${plain(why, 400)}`,
  );
}
