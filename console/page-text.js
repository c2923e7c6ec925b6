// Shows the text of a product page with every amount, stock word and barcode marked, and why each was taken or not.

import { call, productPath } from './api.js';
import { confirmButton, el, fill, folded, oneAtATime, outward, problemLine } from './dom.js';
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
  const problem = el('div', {});
  /** @param {string} path @param {import('./api.js').Options} options */
  const change = async (path, options) => {
    const answer = await call(path, { ...options, signal });
    if (signal.aborted) return;
    if (answer.ok) await read();
    else fill(problem, problemLine(underHosts(plain(answer.problem.detail, 600))));
  };
  const read = async () => {
    const status = el('p', { class: 'soft busy', role: 'status' }, FETCHING);
    fill(problem);
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
        ? shownPage(answer.body, { product: id, change })
        : problemLine(underHosts(plain(answer.problem.detail, 600))),
    );
  };
  const details = folded(
    'What was read on the page',
    el('p', { class: 'soft' }, 'The page is fetched now. That is free, and nothing is stored.'),
    problem,
    box,
  );
  details.addEventListener('toggle', async () => {
    if (!details.open || isRead) return;
    isRead = true;
    await read();
  });
  return details;
}

/**
 * @typedef {object} Changing
 * @property {string} product
 * @property {(path: string, options: import('./api.js').Options) => Promise<void>} change calls, and shows the page again
 */

/** @param {PageText} page @param {Changing} changing */
function shownPage(page, changing) {
  const { url, fetched_at: fetchedAt, not_read_because: reason, lines, candidates } = page;
  const rules = page.rules ?? [];
  // Those of data are under -1.
  const byLine = Map.groupBy(candidates, ({ place }) => place?.line ?? -1);
  /** @param {Candidate} candidate */
  const reasonOf = (candidate) => {
    const at = candidates.indexOf(candidate);
    const own = rules.filter((rule) => rule.candidate === at);
    const isFree = own.length === 0 && candidate.place !== null && page.may_choose === true;
    return [
      why(candidate),
      ...own.map((rule) => ruleLine(rule, page, changing)),
      isFree ? chooseButton(candidate, changing) : null,
    ];
  };
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
    rules.filter((rule) => rule.candidate === null).map((rule) => ruleLine(rule, page, changing)),
    (byLine.get(-1) ?? []).flatMap(reasonOf),
    lines.length === 0
      ? null
      : el(
          'div',
          { class: 'page-text', tabindex: 0, role: 'region', 'aria-label': 'Text of the page' },
          lines.flatMap((line, at) => {
            const found = byLine.get(at) ?? [];
            return [shownLine(line, found), ...found.flatMap(reasonOf)];
          }),
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
  return el('p', {}, el('bdi', {}, pieces));
}

const FIELDS = { price: 'Price', in_stock: 'Stock', gtin: 'Barcode' };

const STATES = {
  used: 'Your rule selects this.',
  doubtful: 'Your rule selects this; one of its three signs has changed.',
  withdrawn: 'A rule no longer finds its place on this page and is not applied.',
};

/** @param {NonNullable<PageText['rules']>[number]} rule @param {PageText} page @param {Changing} changing */
function ruleLine({ id, state }, { may_choose: mayChoose }, { change }) {
  const remove = () => change(`/v1/rules/${encodeURIComponent(id)}`, { method: 'DELETE' });
  return el(
    'p',
    { class: 'soft why' },
    `${STATES[state]} `,
    mayChoose === true ? confirmButton({ label: 'Remove', about: 'this rule', act: remove }) : null,
  );
}

/** @param {Candidate} candidate @param {Changing} changing */
function chooseButton({ field, value, place }, { product, change }) {
  const at = place === null ? {} : { place: { line: place.line, start: place.start } };
  const body = { product, field, value, ...at };
  return el(
    'button',
    {
      type: 'button',
      class: 'plain',
      'aria-label': `Use this: ${FIELDS[field]} ${value}`,
      onclick: oneAtATime(() => change('/v1/rules', { method: 'POST', body })),
    },
    'Use this',
  );
}

/** @param {Candidate} candidate */
function why({ field, value, currency, from, place, taken, why }) {
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
