// The page of watches: what is watched, what each saw last, when it looks next, and its notices.

import { call } from './api.js';
import { el, fill, folded, outward } from './dom.js';
import { age, dollars, hostOf, NONE, plain, until } from './format.js';
import { amountOf } from './profit.js';
import { readLines } from './table.js';

/** @typedef {import('../wire/watches.ts').WatchOnWire} Watch */
/** @typedef {import('../wire/watches.ts').NoticeOnWire} Notice */
/** @typedef {import('../wire/watches.ts').WatchList} WatchList */

const STATES = /** @type {const} */ ({
  active: ['good', 'Active'],
  paused: ['quiet', 'Paused'],
  failing: ['warn', 'Failing'],
  out_of_tokens: ['warn', 'Out of tokens'],
});
const INTERVALS = /** @type {const} */ ([
  ['1d', 'once a day'],
  ['6h', 'every 6 hours'],
  ['1h', 'every hour'],
]);

/** @param {HTMLElement} page */
export function show(page) {
  const said = el('div', { role: 'status' });
  const list = el('div', {});
  const reload = () => void load(list, said, reload, '');
  fill(
    page,
    el('h1', {}, 'Watches'),
    el(
      'p',
      { class: 'soft' },
      'A watch looks at a product by itself and tells you when its price or stock does what you wait for. Each look that reads something costs one token.',
    ),
    newWatchForm(said, reload),
    said,
    list,
  );
  reload();
}

/** Identifiers that another page of the console sent along, in the fragment. */
function sentAlong() {
  const ids = new URLSearchParams(location.hash.slice(1)).get('add') ?? '';
  if (ids !== '') history.replaceState(history.state, '', location.pathname);
  return ids;
}

/**
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
function newWatchForm(said, reload) {
  const codes = el('textarea', {
    id: 'watch-codes',
    rows: 2,
    spellcheck: 'false',
    placeholder: 'A barcode or an address a line',
  });
  codes.value = sentAlong();
  const below = el('input', {
    id: 'watch-below',
    inputmode: 'decimal',
    class: 'number',
    autocomplete: 'off',
    placeholder: '0.00',
  });
  const down = el('input', {
    id: 'watch-down',
    inputmode: 'numeric',
    class: 'number',
    autocomplete: 'off',
    placeholder: '10',
  });
  const interval = el(
    'select',
    { id: 'watch-interval' },
    INTERVALS.map(([value, label]) => el('option', { value }, label)),
  );
  const stock = el('input', { type: 'checkbox' });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const limit = amountOf(below.value);
    const percent = amountOf(down.value);
    if (limit === null || percent === null) {
      fill(
        said,
        el(
          'p',
          { class: 'problem', role: 'alert' },
          'Write an amount such as 12.50, and percent such as 10.',
        ),
      );
      return;
    }
    const wanted = {
      interval: interval.value,
      ...(limit === '' ? {} : { below: Number(limit) }),
      ...(percent === '' ? {} : { down_percent: Number(percent) }),
      ...(stock.checked ? { back_in_stock: true } : {}),
    };
    await addWatches(
      readLines(codes.value).map(({ id }) => id),
      wanted,
      said,
    );
    codes.value = '';
    reload();
  };
  return el(
    'form',
    { class: 'panel fields', onsubmit: submit },
    el('p', { class: 'grow' }, el('label', { for: 'watch-codes' }, 'What to watch'), codes),
    el('p', {}, el('label', { for: 'watch-below' }, 'Tell me below'), below),
    el('p', {}, el('label', { for: 'watch-down' }, 'or down by percent'), down),
    el('p', {}, el('label', { for: 'watch-interval' }, 'Look'), interval),
    el('label', { class: 'check' }, stock, ' and when it is back in stock'),
    el('button', { class: 'primary', type: 'submit' }, 'Watch'),
  );
}

/**
 * @param {readonly string[]} ids
 * @param {object} wanted
 * @param {HTMLElement} said
 */
async function addWatches(ids, wanted, said) {
  /** @type {string[]} */
  const failed = [];
  for (const id of ids) {
    const subject = /^https?:\/\//i.test(id) ? { addresses: [id] } : { identifier: id };
    const answer = await call('/v1/watches', { method: 'POST', body: { ...subject, ...wanted } });
    if (!answer.ok) failed.push(`${plain(id, 80)}: ${answer.problem.detail}`);
  }
  fill(
    said,
    el(
      'p',
      {},
      ids.length === 0
        ? 'Write what to watch: a barcode or an address a line.'
        : `${ids.length - failed.length} of ${ids.length} are watched.`,
    ),
    failed.map((each) => el('p', { class: 'problem', role: 'alert' }, each)),
  );
}

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} said
 * @param {() => void} reload
 * @param {string} cursor
 */
async function load(list, said, reload, cursor) {
  const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const answer = /** @type {import('./api.js').Answer<WatchList>} */ (
    await call(`/v1/watches?limit=50${after}`)
  );
  if (!answer.ok) {
    fill(list, el('p', { class: 'problem', role: 'alert' }, answer.problem.detail));
    return;
  }
  const { watches, next } = answer.body;
  if (cursor === '')
    fill(list, watches.length === 0 ? el('p', { class: 'soft' }, 'Nothing is watched yet.') : null);
  list.append(...watches.map((watch) => watchCard(watch, said, reload)));
  if (next === null) return;
  const more = el(
    'button',
    { type: 'button', onclick: () => (more.remove(), void load(list, said, reload, next)) },
    'Show more',
  );
  list.append(more);
}

/**
 * @param {Watch} watch
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
function watchCard(watch, said, reload) {
  const { id, identifier, addresses, state, reason, listings } = watch;
  const [tone, label] = STATES[state];
  const first = listings[0];
  const name = plain(first?.title, 120) || plain(identifier ?? addresses[0], 120);
  const isPaused = state === 'paused';
  const button = (
    /** @type {string} */ label,
    /** @type {string} */ path,
    /** @type {import('./api.js').Options} */ options,
    /** @type {string} */ done,
  ) => {
    const onclick = () =>
      void change(`${encodeURIComponent(id)}${path}`, options, { said, reload, done });
    return el('button', { type: 'button', onclick }, label);
  };
  return el(
    'section',
    { class: 'panel watch', 'data-watch': id },
    el(
      'div',
      { class: 'section-head' },
      el(
        'h2',
        {},
        identifier === null
          ? outward(addresses[0], name)
          : el('a', { href: `/console?q=${encodeURIComponent(identifier)}` }, el('bdi', {}, name)),
      ),
      el('span', { class: `state ${tone}` }, label),
    ),
    reason === null ? null : el('p', { class: 'soft' }, plain(reason, 300)),
    factsOf(watch),
    noticesOf(id),
    el(
      'p',
      { class: 'actions' },
      button(
        isPaused ? 'Resume' : 'Pause',
        '',
        { method: 'PATCH', body: { paused: !isPaused } },
        isPaused ? 'It looks again.' : 'It is paused.',
      ),
      button('Send a test', '/test', { method: 'POST' }, 'A test was sent through its channels.'),
      button('Remove', '', { method: 'DELETE' }, 'It is not watched any more.'),
    ),
  );
}

/**
 * Changes a watch, says so, and reads the list again.
 * @param {string} path
 * @param {import('./api.js').Options} options
 * @param {{ said: HTMLElement, reload: () => void, done: string }} then
 */
async function change(path, options, { said, reload, done }) {
  const answer = await call(`/v1/watches/${path}`, options);
  const words = answer.ok ? done : answer.problem.detail;
  fill(said, el('p', answer.ok ? {} : { class: 'problem', role: 'alert' }, words));
  reload();
}

/** @param {Watch} watch */
function factsOf(watch) {
  const { last_read_at: read, next_check_at: next, listings } = watch;
  const first = listings[0];
  const facts = [
    ['Waits for', conditionsOf(watch)],
    [
      'Last price',
      first === undefined ? NONE : `${dollars(first.price)} at ${hostOf(first.retailer)}`,
    ],
    ['Read', read === null ? 'not yet' : age(read)],
    ['Looks next', next === null ? NONE : until(next)],
  ];
  return el(
    'dl',
    { class: 'codes' },
    facts.map(([term, value]) =>
      el('div', {}, el('dt', {}, term ?? ''), el('dd', {}, value ?? '')),
    ),
  );
}

/** @param {Watch} watch */
function conditionsOf({
  below,
  down_percent: down,
  up_percent: up,
  new_low: low,
  back_in_stock: back,
  out_of_stock: out,
  buy_box: box,
  any_change: any,
}) {
  return [
    below === null ? null : `below ${dollars(below)}`,
    down === null ? null : `down by ${down} %`,
    up === null ? null : `up by ${up} %`,
    low === null ? null : `a new low of ${low} days`,
    back ? 'back in stock' : null,
    out ? 'out of stock' : null,
    box ? 'another seller in the buy box' : null,
    any ? 'any change' : null,
  ]
    .filter((each) => each !== null)
    .join(', or ');
}

/**
 * The newest notices, read when somebody asks for them.
 * @param {string} id
 */
function noticesOf(id) {
  const box = el('div', {});
  const details = folded('Notices', box);
  details.addEventListener('toggle', async () => {
    if (!details.open) return;
    const answer = /** @type {import('./api.js').Answer<{ notices: readonly Notice[] }>} */ (
      await call(`/v1/watches/${encodeURIComponent(id)}`)
    );
    if (!answer.ok) fill(box, el('p', { class: 'problem', role: 'alert' }, answer.problem.detail));
    else if (answer.body.notices.length === 0)
      fill(box, el('p', { class: 'soft' }, 'None so far.'));
    else
      fill(
        box,
        el(
          'ul',
          {},
          answer.body.notices.map(({ at, title, text, url }) =>
            el(
              'li',
              {},
              el('b', {}, el('bdi', {}, plain(title, 120))),
              ' ',
              el('bdi', {}, plain(text, 300)),
              ' ',
              el('span', { class: 'soft' }, age(at)),
              ' ',
              url === null ? null : outward(url, 'page'),
            ),
          ),
        ),
      );
  });
  return details;
}
