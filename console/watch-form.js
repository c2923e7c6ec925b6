// The form for a new watch, and the same fields for changing a watch: conditions, whose price, how often.

import { amountOf, isPage, watchLines } from './amounts.js';
import { usualCurrency } from './currency.js';
import { call } from './api.js';
import { el, fill, folded, oneAtATime, problemLine } from './dom.js';
import { counted, hostOf, knownRetailers, plain, whole } from './format.js';
import { cachedChannels } from './cached-channels.js';
import { tokensInWords } from './prices.js';

/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchOnWire} Watch */
/** @typedef {import('./amounts.js').WatchLine} WatchLine */
/** @typedef {{ said: HTMLElement, reload: () => void }} Feedback where the result is shown, and what is reloaded then */
/**
 * The values of the fields in the service's format; null if one of them is not accepted.
 * @typedef {{ element: HTMLElement, read: () => Record<string, unknown> | null, ofPages: (are: boolean) => void }} Fields
 */

const INTERVALS = /** @type {const} */ ([
  ['1h', 'every hour'],
  ['6h', 'every 6 hours'],
  ['12h', 'every 12 hours'],
  ['1d', 'once a day'],
  ['7d', 'once a week'],
]);

/** @param {string} interval in the service's notation */
export function intervalWords(interval) {
  return INTERVALS.find(([value]) => value === interval)?.[1] ?? `every ${interval}`;
}

const FLAGS = /** @type {const} */ ([
  ['back_in_stock', 'back in stock'],
  ['out_of_stock', 'out of stock'],
  ['buy_box', 'another seller has the buy box'],
  ['any_change', 'any change of price, stock or seller'],
]);

/**
 * Returns the identifiers that another page of the console sent along in the fragment, how many it had to omit, and the price
 * of one with its currency.
 */
function sentAlong() {
  const sent = new URLSearchParams(location.hash.slice(1));
  const ids = sent.get('add') ?? '';
  if (ids !== '') history.replaceState(history.state, '', location.pathname);
  const now = Number(sent.get('now') ?? 0);
  const currency = sent.get('currency') ?? '';
  const isHandedIn = sent.get('source') === 'handed_in';
  const leftOut = Number(sent.get('left') ?? 0);
  return { ids, leftOut, now: now > 0 ? now : null, currency, isHandedIn };
}

/**
 * Creates the form for a new watch. It is open if identifiers were sent along; the page also opens it if nothing is
 * watched.
 * @param {Feedback} feedback
 */
export function newWatchForm({ said, reload }) {
  const codes = el('textarea', {
    id: 'watch-codes',
    rows: 2,
    spellcheck: 'false',
    placeholder:
      'A barcode or the address of a page on each line. “ADDRESS, 70” notifies below 70.',
    oninput: () => offer(),
  });
  const { ids: sent, leftOut, now, currency, isHandedIn } = sentAlong();
  codes.value = sent;
  const count = sent.split('\n').length;
  codes.rows = Math.min(8, Math.max(2, count));
  const fields = watchFields('watch', null, { now, currency });
  const handedIn = el('input', { type: 'checkbox', id: 'watch-handed-in', checked: isHandedIn });
  const fold = togetherChoice();
  /** Offers only what is possible for the lines. */
  const offer = () => fields.ofPages(fold.offer(watchLines(codes.value)));
  const submit = oneAtATime(async () => {
    const lines = watchLines(codes.value);
    if (lines.length === 0) {
      fill(said, problemLine('Enter what to watch: a barcode or an address on each line.'));
      codes.focus();
      return;
    }
    const wanted = fields.read();
    if (wanted === null) {
      fill(said, problemLine(WRONG));
      return;
    }
    const source = handedIn.checked ? { source: 'handed_in' } : {};
    const left = await addWatches(fold.watches(lines), { ...wanted, ...source }, said);
    codes.value = left.join('\n');
    offer();
    if (left.length === 0 && leftOut === 0) form.open = false;
    reload();
  });
  const form = el(
    'details',
    { class: 'panel watch-form', open: codes.value !== '' },
    el('summary', {}, 'New watch'),
    el(
      'form',
      { onsubmit: submit },
      el('p', { class: 'line' }, el('label', { for: 'watch-codes' }, 'What to watch'), codes),
      fold.elements,
      leftOut > 0
        ? el(
            'p',
            { class: 'soft small', id: 'watch-left-out' },
            `The first ${counted(count, 'product')} of ${whole(count + leftOut)}: a link cannot hold more. Paste the ` +
              `other ${whole(leftOut)} here afterwards.`,
          )
        : null,
      fields.element,
      el(
        'label',
        { class: 'check' },
        handedIn,
        ' only pages that I hand in: fetches and costs nothing',
      ),
      el('button', { class: 'primary', type: 'submit' }, 'Watch'),
    ),
  );
  offer();
  return form;
}

/** The pages that one watch can have. */
const MOST_PAGES = 20;

/** Creates the choice to watch all lines as one, offered only if they are pages with one target. */
function togetherChoice() {
  const box = el('input', { type: 'checkbox', id: 'watch-together' });
  const line = el(
    'label',
    { class: 'check', hidden: true },
    box,
    ' all lines are pages of one product: watch them together',
  );
  const apart = el(
    'p',
    { class: 'soft small', hidden: true },
    'Lines with different targets become a watch each. To watch several pages with one target, put them on one line.',
  );
  return {
    elements: [line, apart],
    /** Returns whether all lines are pages. @param {readonly WatchLine[]} lines */
    offer(lines) {
      const arePages = lines.length > 0 && lines.every(({ pages }) => pages.every(isPage));
      const isAlike = new Set(lines.map(({ below }) => below)).size < 2;
      line.hidden = !(arePages && isAlike && lines.length > 1 && lines.length <= MOST_PAGES);
      apart.hidden = isAlike || !arePages;
      return arePages;
    },
    /** @param {readonly WatchLine[]} lines */
    watches(lines) {
      if (line.hidden || !box.checked) return lines;
      return [{ pages: lines.flatMap(({ pages }) => pages), below: lines[0]?.below ?? null }];
    },
  };
}

/** The message for fields with invalid values. */
export const WRONG = 'Enter an amount such as 12.50, and a percentage such as 10.';

/**
 * @param {string} name prefix of the fields' ids
 * @param {Watch | null} watch the values of the fields; null for a new watch
 * @param {{ now: number | null, currency: string }} [product] its current price, and the currency of a new watch
 * @returns {Fields}
 */
export function watchFields(name, watch, { now, currency } = { now: null, currency: '' }) {
  const example = now === null ? 'e.g. 12.50' : `now ${now}`;
  const money = watch === null ? currency || usualCurrency() : (watch.currency ?? 'USD');
  const label = `Notify me below, ${money === 'USD' ? '$' : money}`;
  const below = numberField(`${name}-below`, label, example, watch?.below);
  const down = numberField(`${name}-down`, 'or down by percent', 'e.g. 10', watch?.down_percent);
  const up = numberField(`${name}-up`, 'or up by percent', 'e.g. 10', watch?.up_percent);
  const low = choice(`${name}-low`, 'or a new low of', LOWS, String(watch?.new_low ?? ''));
  const often = watch?.interval ?? '1d';
  const whose = watch?.retailer ?? '';
  const interval = choice(
    `${name}-interval`,
    'Look',
    withOwn(INTERVALS, often, intervalWords(often)),
    often,
  );
  const ofPages = watch !== null && isPage(watch.identifier ?? watch.addresses[0] ?? '');
  const shops = ofPages ? OF_PAGES : withOwn(retailersOf(watch), whose);
  const retailer = choice(`${name}-retailer`, 'Whose price', shops, whose);
  const flags = FLAGS.map(([flag, label]) => ({
    flag,
    label,
    box: el('input', { type: 'checkbox', checked: watch?.[flag] === true }),
  }));
  const [back, ...others] = flags.map(({ label, box }) =>
    el('label', { class: 'check' }, box, ` ${label}`),
  );
  const rare = folded(
    'More conditions',
    el('div', { class: 'fields' }, up.element, low.element, others),
  );
  const channels = channelChoice(watch);
  const tags = tagField(`${name}-tags`, watch);
  const hasRare = watch !== null && (watch.up_percent ?? watch.new_low) !== null;
  rare.open = hasRare || flags.slice(1).some(({ box }) => box.checked);
  const usual = [below, down, interval, retailer].map((field) => field.element);
  const element = el(
    'div',
    {},
    el('div', { class: 'fields' }, usual, el('div', { class: 'check-line' }, 'or', back ?? null)),
    rare,
    channels.element,
    tags.element,
    el('p', { class: 'soft small' }, about()),
  );
  return { element, read, ofPages: (are) => offerOfPages(retailer.select, are) };

  function read() {
    const numbers = [below, down, up].map((field) => field.read());
    const [belowAmount, downPercent, upPercent] = numbers;
    if (numbers.some((number) => number === undefined)) return null;
    const chosen = {
      ...(watch === null && currency !== '' ? { currency } : {}),
      interval: interval.select.value,
      ...(retailer.select.value === '' ? {} : { retailer: retailer.select.value }),
    };
    const values = {
      below: belowAmount ?? null,
      down_percent: downPercent ?? null,
      up_percent: upPercent ?? null,
      new_low: low.select.value === '' ? null : Number(low.select.value),
    };
    // A new watch lists only the conditions that are set. A change also lists those that are removed.
    const isNamed = (/** @type {number | boolean | null} */ value) =>
      watch !== null || (value !== null && value !== false);
    const named = [
      ...Object.entries(values),
      ...flags.map(({ flag, box }) => /** @type {const} */ ([flag, box.checked])),
    ].filter(([, value]) => isNamed(value));
    return { ...chosen, ...Object.fromEntries(named), ...channels.read(), ...tags.read() };
  }
}

/**
 * Pages have no choice among shops.
 * @param {HTMLSelectElement} select
 * @param {boolean} are
 */
function offerOfPages(select, are) {
  for (const option of select.options) {
    option.hidden = are && !['', 'best', 'any'].includes(option.value);
    if (option.hidden && option.selected) select.value = '';
  }
}

/**
 * @param {string} id
 * @param {Watch | null} watch
 */
function tagField(id, watch) {
  const input = el('input', { id, autocomplete: 'off', placeholder: 'kitchen, gifts' });
  input.value = watch?.tags.join(', ') ?? '';
  return {
    element: el('div', { class: 'fields' }, el('p', {}, el('label', { for: id }, 'Tags'), input)),
    read: () => ({
      tags: input.value.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])),
    }),
  };
}

const about = () =>
  'You are notified when a condition is met; if none is set, you are notified of every change. Each check ' +
  `that reads something costs ${tokensInWords('watchedRead')}.`;

const LOWS = /** @type {const} */ ([
  ['', 'no notice'],
  ['30', '30 days'],
  ['90', '90 days'],
]);

/** @type {readonly (readonly [string, string])[]} */
const OF_PAGES = [
  ['any', 'each page separately'],
  ['best', 'the lowest of all pages'],
];

/** @param {Watch | null} watch */
function retailersOf(watch) {
  const shops = knownRetailers().map((slug) => /** @type {const} */ ([slug, hostOf(slug)]));
  const usual = /** @type {const} */ ([watch === null ? '' : 'anchor', 'as on its card']);
  return /** @type {readonly (readonly [string, string])[]} */ ([
    usual,
    ['best', 'the lowest of all shops'],
    ['any', 'each shop separately'],
    ...shops,
  ]);
}

/**
 * Adds the watch's own value to the options if it is not among them.
 * @param {readonly (readonly [string, string])[]} options
 * @param {string} own
 * @param {string} [words] its label
 */
function withOwn(options, own, words = own) {
  return options.some(([value]) => value === own)
    ? options
    : [...options, /** @type {const} */ ([own, words])];
}

/**
 * Creates the choice of channels through which a watch sends its notices. A new watch uses all active channels.
 * @param {Watch | null} watch
 */
function channelChoice(watch) {
  const element = el('div', { class: 'check-line' });
  /** @type {{ id: string, box: HTMLInputElement }[]} */
  let choices = [];
  void cachedChannels().then((answer) => {
    if (!answer.ok) return;
    const { channels } = answer.body;
    choices = channels.map(({ channel_id: id, state }) => ({
      id,
      box: el('input', {
        type: 'checkbox',
        checked: watch === null ? state !== 'paused' : watch.channels.includes(id),
      }),
    }));
    fill(
      element,
      channels.length === 0
        ? el(
            'p',
            { class: 'soft small' },
            'Notices are listed on this page. To have them sent to you, ',
            el('a', { href: '/console/channels' }, 'add a channel'),
            '.',
          )
        : [
            el('span', {}, 'Notify me through'),
            ...choices.map(({ box }, at) =>
              el(
                'label',
                { class: 'check' },
                box,
                ' ',
                el('bdi', {}, plain(channels[at]?.name, 60)),
              ),
            ),
          ],
    );
  });
  return {
    element,
    /** Reads nothing when no channels are known, so that the watch keeps its channels. */
    read: () =>
      choices.length === 0
        ? {}
        : { channels: choices.filter(({ box }) => box.checked).map(({ id }) => id) },
  };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} example
 * @param {number | null | undefined} value
 */
function numberField(id, label, example, value) {
  const input = el('input', {
    id,
    inputmode: 'decimal',
    class: 'number',
    autocomplete: 'off',
    placeholder: example,
  });
  input.value = value === null || value === undefined ? '' : String(value);
  return {
    element: el('p', {}, el('label', { for: id }, label), input),
    /** Null if the field is empty, undefined if it does not contain a number. */
    read() {
      const amount = amountOf(input.value);
      input.setAttribute('aria-invalid', String(amount === null));
      if (amount === null) {
        input.focus();
        return undefined;
      }
      return amount === '' ? null : Number(amount);
    },
  };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {readonly (readonly [value: string, label: string])[]} options
 * @param {string} chosen
 */
function choice(id, label, options, chosen) {
  const select = el(
    'select',
    { id },
    options.map(([value, words]) => el('option', { value, selected: value === chosen }, words)),
  );
  return { select, element: el('p', {}, el('label', { for: id }, label), select) };
}

/**
 * Creates the watches one by one, and shows which were refused, and which existed.
 * @param {readonly WatchLine[]} lines
 * @param {object} wanted
 * @param {HTMLElement} said
 * @returns {Promise<string[]>} the lines that were refused
 */
async function addWatches(lines, wanted, said) {
  /** @type {{ line: string, why: string }[]} */
  const failed = [];
  let existing = 0;
  for (const [at, { pages, below }] of lines.entries()) {
    if (lines.length > 5)
      fill(said, el('p', { class: 'soft' }, `${at} of ${lines.length} are created…`));
    const [first = ''] = pages;
    const subject = isPage(first) ? { addresses: pages } : { identifier: first };
    const body = { ...subject, ...wanted, ...(below === null ? {} : { below }) };
    const answer = /** @type {import('./api.js').Answer<{ existing?: true }>} */ (
      await call('/v1/watches', { method: 'POST', body })
    );
    const line = pages.join(' ') + (below === null ? '' : `, ${below}`);
    if (!answer.ok) failed.push({ line, why: answer.problem.detail });
    else if (answer.body.existing === true) existing += 1;
  }
  const made = lines.length - failed.length - existing;
  const words = [
    made > 0 || failed.length === lines.length
      ? `${counted(made, 'watch', 'watches')} created.`
      : null,
    made > 0 ? 'The first check begins at once.' : null,
    existing > 0 ? `${counted(existing, 'line')} asked for what you already watch.` : null,
    failed.length > 0 ? `${made + existing} of ${lines.length} are watched.` : null,
  ];
  fill(
    said,
    el('p', {}, words.filter((each) => each !== null).join(' ')),
    failed.map(({ line, why }) => problemLine(`${plain(line, 80)}: ${why}`)),
  );
  return failed.map(({ line }) => line);
}
