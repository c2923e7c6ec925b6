// Shows one watch as a card: its sparkline, last price, conditions, next check, state and notices.

import { call } from './api.js';
import { deliveriesPart } from './deliveries.js';
import { confirmButton, el, fill, folded, oneAtATime, outward, problemLine, table } from './dom.js';
import { age, counted, hostOf, money, NONE, plain, reasonWords, until } from './format.js';
import { tokensInWords } from './prices.js';
import { intervalWords, watchFields, WRONG } from './watch-form.js';
import { priceOf, shownOf } from './watch-price.js';

/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchOnWire} Watch */
/** @typedef {import('../src/answer/wire/watches/watches.ts').NoticeOnWire} Notice */
/** @typedef {import('./watch-form.js').Feedback} Feedback */

const STATES = /** @type {const} */ ({
  active: ['good', 'Active'],
  paused: ['quiet', 'Paused'],
  failing: ['warn', 'Failing'],
  out_of_tokens: ['warn', 'Out of tokens'],
});

/**
 * @param {Watch} watch
 * @param {string | null} sparkline its address; null if the watch has read nothing yet
 * @param {Feedback} feedback
 */
export function watchCard(watch, sparkline, feedback) {
  const { id, identifier, addresses, state, reason } = watch;
  const [tone, label] =
    state === 'active' && reason !== null ? ['warn', 'Last check failed'] : STATES[state];
  const shown = shownOf(watch);
  const subject = plain(identifier ?? addresses[0], 120);
  const name = plain(shown?.title, 120) || subject;
  const notices = el('div', { class: 'notices' });
  return el(
    'section',
    { class: 'panel watch', id, 'data-watch': id, 'aria-label': `Watch of ${name}` },
    namePart(watch, name, subject),
    el(
      'div',
      { class: 'watch-line' },
      sparkline === null
        ? el('span', { class: 'soft small' }, 'No price seen yet')
        : el('img', {
            src: sparkline,
            alt: 'Its lowest price on each of the last 90 days',
            width: 240,
            height: 48,
            loading: 'lazy',
            onerror: (/** @type {any} */ event) => event.target.remove(),
          }),
    ),
    priceOf(watch, shown),
    el(
      'div',
      { class: 'watch-state' },
      el('span', { class: `state ${tone}` }, label),
      el('p', { class: 'soft small' }, whenOf(watch)),
    ),
    reason === null
      ? null
      : el('p', { class: 'watch-reason' }, 'The last check read nothing: ', reasonWords(reason)),
    el(
      'div',
      { class: 'watch-more' },
      noticesIn(notices, id),
      el(
        'div',
        { class: 'watch-tools' },
        changePart(watch, feedback),
        listingsPart(watch),
        watch.channels.length === 0 ? null : deliveriesPart(id),
        buttonsOf(watch, name, { ...feedback, noticed: () => void readNotices(id, notices) }),
      ),
    ),
  );
}

/**
 * @param {Watch} watch
 * @param {string} name
 * @param {string} subject
 */
function namePart(watch, name, subject) {
  const { identifier, addresses } = watch;
  return el(
    'div',
    { class: 'watch-name' },
    el(
      'h2',
      {},
      identifier === null
        ? outward(addresses[0], el('bdi', {}, name))
        : el('a', { href: `/console?q=${encodeURIComponent(identifier)}` }, el('bdi', {}, name)),
    ),
    el(
      'p',
      { class: 'soft small' },
      name === subject ? null : [el('bdi', { class: 'breakable' }, subject), ' · '],
      conditionsOf(watch),
      watch.tags.length === 0 ? null : ` · ${watch.tags.join(', ')}`,
    ),
  );
}

/** @param {Watch} watch */
function whenOf({ last_read_at: read, next_check_at: next, interval, state, reason }) {
  const never = reason === null ? 'not read yet' : 'tried, nothing read yet';
  const parts = [
    read === null ? never : `read ${age(read)}`,
    next === null
      ? null
      : Date.parse(next) <= Date.now()
        ? 'checking now'
        : `next check ${until(next)}`,
    state === 'paused' ? null : intervalWords(interval),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Whose price is watched, in words, for watches that cover more than a single shop. */
const WHOSE = new Map([
  ['best', ', at the cheapest shop'],
  ['any', ', at each shop'],
  ['anchor', ''],
]);

/** @param {Watch} watch */
function conditionsOf(watch) {
  const { retailer, below, down_percent: down, up_percent: up, new_low: low, currency } = watch;
  const isOnePage = /^https?:/i.test(watch.identifier ?? '');
  const whose = isOnePage ? '' : (WHOSE.get(retailer) ?? `, at ${hostOf(retailer)}`);
  const conditions = [
    below === null ? null : `a price below ${money(below, currency)}`,
    down === null ? null : `a drop of ${down} %`,
    up === null ? null : `a rise of ${up} %`,
    low === null ? null : `a new low of ${low} days`,
    watch.back_in_stock ? 'back in stock' : null,
    watch.out_of_stock ? 'out of stock' : null,
    watch.buy_box ? 'another seller in the buy box' : null,
    watch.any_change ? 'any change' : null,
  ].filter((each) => each !== null);
  return `waits for ${conditions.join(', or ')}${whose}`;
}

/** @param {Watch} watch */
function listingsPart({ listings, currency }) {
  if (listings.length < 2) return null;
  return folded(
    `At ${listings.length} shops`,
    table(
      'Shops of this watch',
      ['Shop', '#Price', 'Stock', '#Read'],
      listings
        .toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity))
        .map((each) => [
          outward(each.url, hostOf(each.retailer)),
          money(each.price, currency),
          each.in_stock === null ? NONE : each.in_stock ? 'in stock' : 'out of stock',
          age(each.observed_at),
        ]),
      'blocks',
    ),
  );
}

/**
 * Shows the newest of the watch's notices. They are read when the watch scrolls into view.
 * @param {HTMLElement} box
 * @param {string} id
 */
function noticesIn(box, id) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    void readNotices(id, box);
  });
  observer.observe(box);
  return box;
}

/**
 * @param {string} id
 * @param {HTMLElement} box
 */
async function readNotices(id, box) {
  const answer = /** @type {import('./api.js').Answer<{ notices: readonly Notice[] }>} */ (
    await call(`/v1/watches/${encodeURIComponent(id)}`)
  );
  if (!answer.ok) {
    fill(box, problemLine(answer.problem.detail));
    return;
  }
  const [newest, ...earlier] = answer.body.notices;
  if (newest === undefined) {
    fill(box, el('p', { class: 'soft small' }, 'No notice yet.'));
    return;
  }
  fill(
    box,
    noticeLine(newest, 'p'),
    earlier.length === 0
      ? null
      : folded(
          `Earlier notices (${earlier.length})`,
          el(
            'ul',
            {},
            earlier.map((each) => noticeLine(each, 'li')),
          ),
        ),
  );
}

/**
 * @param {Notice} notice
 * @param {'p' | 'li'} tag
 */
function noticeLine({ at, title, text, url, kind }, tag) {
  return el(
    tag,
    { class: 'notice', 'data-kind': kind },
    el('b', {}, el('bdi', {}, plain(title, 160))),
    ' ',
    el('bdi', {}, plain(text, 300)),
    ' ',
    el('span', { class: 'soft small' }, age(at)),
    url === null ? null : [' ', outward(url, 'to the page')],
  );
}

/**
 * @param {Watch} watch
 * @param {Feedback} feedback
 */
function changePart(watch, { said, reload }) {
  const box = el('div', {});
  const details = folded('Change its conditions', box);
  details.addEventListener(
    'toggle',
    () => {
      const fields = watchFields(watch.id, watch);
      const wrong = el('div', {});
      const submit = oneAtATime(async () => {
        const wanted = fields.read();
        if (wanted === null) {
          fill(wrong, problemLine(WRONG));
          return;
        }
        const path = `/v1/watches/${encodeURIComponent(watch.id)}`;
        const answer = await call(path, { method: 'PATCH', body: wanted });
        if (!answer.ok) {
          fill(wrong, problemLine(answer.problem.detail));
          return;
        }
        // A folded section cannot keep the focus.
        details.querySelector('summary')?.focus();
        details.open = false;
        fill(said, el('p', {}, 'Its conditions are updated.'));
        reload();
      });
      fill(
        box,
        el(
          'form',
          { onsubmit: submit },
          fields.element,
          wrong,
          el('button', { type: 'submit' }, 'Save'),
        ),
      );
    },
    { once: true },
  );
  return details;
}

/**
 * @param {Watch} watch
 * @param {string} name
 * @param {Feedback & { noticed: () => void }} after `noticed`: called when there is a new notice
 */
function buttonsOf({ id, state, source }, name, { said, reload, noticed }) {
  const isPaused = state === 'paused';
  /**
   * @param {string} path
   * @param {import('./api.js').Options} options
   * @param {string} done
   */
  const change = async (path, options, done) => {
    const answer = await call(`/v1/watches/${encodeURIComponent(id)}${path}`, options);
    fill(said, answer.ok ? el('p', {}, done) : problemLine(answer.problem.detail));
    reload();
  };
  const looked = el('span', { class: 'soft small', role: 'status' });
  const look = oneAtATime(async () => {
    fill(looked, 'Looking… ');
    const answer = await call(`/v1/watches/${encodeURIComponent(id)}/look`, { method: 'POST' });
    fill(looked, answer.ok ? null : lookProblem(answer.problem));
    if (answer.ok) reload();
  });
  return el(
    'p',
    { class: 'actions' },
    looked,
    isPaused || source !== undefined
      ? null
      : el(
          'button',
          { type: 'button', 'data-act': 'look', onclick: look },
          `Look now (${tokensInWords('look')})`,
        ),
    el(
      'button',
      {
        type: 'button',
        'data-act': 'pause',
        onclick: oneAtATime(() =>
          change(
            '',
            { method: 'PATCH', body: { paused: !isPaused } },
            isPaused ? `${name} is checked again.` : `${name} is paused.`,
          ),
        ),
      },
      isPaused ? 'Resume' : 'Pause',
    ),
    el(
      'button',
      {
        type: 'button',
        onclick: oneAtATime(() =>
          change(
            '/test',
            { method: 'POST' },
            'A test notice was sent; it is listed with its watch.',
          ).then(noticed),
        ),
      },
      'Send a test',
    ),
    confirmButton({
      label: 'Remove',
      about: `the watch of ${name}`,
      act: () => change('', { method: 'DELETE' }, `${name} is no longer watched.`),
    }),
  );
}

/** @param {import('./api.js').Problem} problem */
function lookProblem({ detail, code, retryAfter }) {
  const minutes = code === 'throttled' ? Math.ceil((retryAfter ?? 60) / 60) : 0;
  return minutes === 0 ? detail : `${detail} Again in ${counted(minutes, 'minute')}.`;
}
