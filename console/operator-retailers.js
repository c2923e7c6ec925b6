// The retailers from the operator's view: what works, how their pages were read, their pauses, and why they refuse.

import { el, table } from './dom.js';
import { age, counted, hostOf, NONE, percent, plain, reasonWords, until, whole } from './format.js';
import { workaroundsFor } from './words.js';

/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorQueue} Queue */
/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorInstallation} Installation */
/** @typedef {import('./words.js').Retailer} Retailer */
/** @typedef {import('./words.js').Tone} Tone */
/**
 * What is known about one retailer.
 * @typedef {{
 *   retailer: Retailer,
 *   reading: Installation['readings'][number] | undefined,
 *   host: Queue['hosts'][number] | undefined,
 *   job: Queue['jobs'][number] | undefined,
 * }} Standing
 */

/**
 * The requests that a paused host does not get, in words. @satisfies
 * {Record<NonNullable<Queue['hosts'][number]['paused_for']>, string>}
 */
export const PAUSED_FOR = {
  everyone: 'everyone',
  one_organization: 'one organization, whose requests failed, and of background work',
  background: 'background work',
};

/** The share of refused answers above which a retailer counts as refusing. */
const MOSTLY = 0.5;

/**
 * @param {readonly Retailer[]} retailers
 * @param {Installation} installation
 * @param {Queue} queue
 */
export function retailersTable(retailers, { readings, pace_seconds: pace }, { hosts, jobs }) {
  const standings = retailers.map((retailer) => ({
    retailer,
    reading: readings.find((each) => each.retailer === retailer.retailer),
    host: hosts
      .filter(({ host }) => retailer.hosts.some((own) => own === host || own.endsWith(`.${host}`)))
      .toSorted((a, b) => b.paused_seconds - a.paused_seconds)[0],
    job: jobs.find((each) => each.retailer === retailer.retailer && each.reason !== null),
  }));
  return [
    el(
      'p',
      { class: 'soft' },
      `${paceWords(pace)} After five consecutive failures a host is paused for a minute, and for twice as long ` +
        'after each further one. If only one organization’s requests failed, only that organization and ' +
        'background work wait.',
    ),
    table(
      'Retailers',
      [
        'Shop',
        'Works',
        'Sources',
        '#Read, 7 days',
        '#Refused',
        '#Fields found',
        'Pause',
        '#Last success',
      ],
      standings.map(rowOf),
      'blocks',
    ),
    ...officialApis(retailers),
  ];
}

/** @typedef {NonNullable<Retailer['sources'][number]['condition']>} Condition */

/**
 * The states of an official API, in words. @satisfies
 * {Record<Condition['state'], { label: string, tone: Tone }>}
 */
const CONDITIONS = {
  unknown: { label: 'Not queried yet', tone: /** @type {const} */ ('quiet') },
  ok: { label: 'Answers', tone: /** @type {const} */ ('good') },
  credentials_refused: { label: 'Credentials refused', tone: /** @type {const} */ ('bad') },
  not_eligible: { label: 'Account not eligible', tone: /** @type {const} */ ('bad') },
  quota_spent: { label: 'Daily limit used up', tone: /** @type {const} */ ('warn') },
  throttled: { label: 'Throttled', tone: /** @type {const} */ ('warn') },
  unreachable: { label: 'Unreachable', tone: /** @type {const} */ ('bad') },
  unreadable: { label: 'Unreadable answers', tone: /** @type {const} */ ('bad') },
};

/**
 * The official APIs that have their settings; nothing if there is none.
 * @param {readonly Retailer[]} retailers
 */
function officialApis(retailers) {
  const rows = retailers.flatMap(({ retailer, sources }) =>
    sources.flatMap(({ name, condition, paused_seconds: paused }) =>
      condition === null ? [] : [apiRow(`${retailer}.${name}`, condition, paused)],
    ),
  );
  if (rows.length === 0) return [];
  return [
    el('h3', {}, 'Official APIs'),
    table(
      'Official APIs',
      ['API', 'State', 'Since', '#Requests, 24 hours', 'Last outcome', 'Queried again'],
      rows,
      'blocks',
    ),
  ];
}

/**
 * @param {string} name
 * @param {Condition} condition
 * @param {number | null} paused
 */
function apiRow(name, condition, paused) {
  const { label, tone } = CONDITIONS[condition.state];
  const { last_outcome: last, last_outcome_at: lastAt, daily_limit: limit } = condition;
  return [
    el('span', { class: 'slug' }, name),
    el(
      'div',
      {},
      el('span', { class: `state ${tone}` }, label),
      condition.detail === null ? null : el('p', { class: 'soft small' }, condition.detail),
    ),
    condition.since === null ? NONE : age(condition.since),
    limit === null
      ? whole(condition.calls_today)
      : `${whole(condition.calls_today)} of ${whole(limit)}`,
    last === null
      ? NONE
      : `${last === 'answered' ? 'answered' : CONDITIONS[last].label.toLowerCase()} ${age(lastAt)}`,
    paused === null ? NONE : `in ${timeWords(paused)}`,
  ];
}

/** @param {number} seconds */
function paceWords(seconds) {
  return seconds === 0
    ? 'Requests to one host follow each other at once (OPENSHELF_HOST_INTERVAL_MS is 0).'
    : `A host gets one request every ${seconds === 1 ? 'second' : counted(seconds, 'second')} at most, less ` +
        'often if its robots.txt asks for it.';
}

/** @param {Standing} standing */
function rowOf(standing) {
  const { retailer, reading, host } = standing;
  const { label, tone } = stateOf(standing);
  const last = retailer.last_success_at;
  return [
    el(
      'span',
      {},
      hostOf(retailer.retailer),
      ' ',
      el('span', { class: 'slug' }, retailer.retailer),
    ),
    el('div', {}, el('span', { class: `state ${tone}` }, label), whyPart(standing)),
    el(
      'span',
      { class: 'soft' },
      retailer.sources
        .filter(({ configured }) => configured)
        .map(({ name, official_api: isApi }) => (isApi ? `${name} (API)` : pageWords(name)))
        .join(', ') || NONE,
    ),
    reading === undefined ? NONE : `${whole(reading.read)} of ${whole(reading.answers)}`,
    reading === undefined ? NONE : whole(reading.blocked),
    reading === undefined || reading.fill_rate === null ? NONE : percent(reading.fill_rate * 100),
    pauseWords(host),
    last === null ? 'never' : age(last),
  ];
}

const PAGES = /** @type {Readonly<Record<string, string>>} */ ({
  page: 'its pages',
  page_offers: 'its pages of offers',
  search: 'its search',
});

/** Names a source that is not an official API in words for people. @param {string} name */
function pageWords(name) {
  return PAGES[name] ?? name.replaceAll('_', ' ');
}

/** @param {Queue['hosts'][number] | undefined} host */
function pauseWords(host) {
  if (host === undefined) return el('span', { class: 'soft' }, 'none');
  if (host.paused_seconds > 0)
    return el('span', { class: 'state warn' }, timeWords(host.paused_seconds));
  return el('span', { class: 'soft' }, `none, ${counted(host.failures, 'failure')} in a row`);
}

/** @param {number} seconds */
function timeWords(seconds) {
  return seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
}

/**
 * @param {Standing} standing
 * @returns {{ label: string, tone: Tone }}
 */
function stateOf({ retailer, reading, host }) {
  if (!retailer.usable) return { label: 'No source', tone: 'bad' };
  if ((host?.paused_seconds ?? 0) > 0 || pausedSource(retailer) !== undefined)
    return { label: 'Paused', tone: 'warn' };
  if (reading === undefined || reading.answers === 0)
    return { label: 'Not queried yet', tone: 'quiet' };
  const refused = reading.blocked / reading.answers;
  if (refused >= MOSTLY) return { label: 'Refused', tone: 'bad' };
  if (refused > 0) return { label: 'Partly refused', tone: 'warn' };
  if (reading.read < reading.answers) return { label: 'Partly read', tone: 'warn' };
  return { label: 'Yes', tone: 'good' };
}

/** @param {Retailer} retailer */
function pausedSource({ sources }) {
  return sources.find(
    ({ paused_seconds: seconds, condition }) => seconds !== null && condition?.question === null,
  );
}

/**
 * Says why the retailer does not work as it should, and what can be done; nothing if it works.
 * @param {Standing} standing
 */
function whyPart(standing) {
  const reasons = reasonsOf(standing);
  if (reasons.length === 0) return null;
  const ways = el('ul', {});
  const details = el(
    'details',
    { class: 'ways' },
    el('summary', {}, 'Why, and what can be done'),
    el(
      'ul',
      {},
      reasons.map((reason) => el('li', {}, reason)),
    ),
    el('p', { class: 'small' }, 'What can be done:'),
    ways,
  );
  details.addEventListener(
    'toggle',
    async () => {
      const known = await workaroundsFor(standing.retailer.retailer);
      ways.append(...known.map((way) => el('li', {}, way)));
    },
    { once: true },
  );
  return details;
}

/** @param {Standing} standing */
function reasonsOf({ retailer, reading, host, job }) {
  const { blocked = 0, unavailable = 0, unreadable = 0, answers = 0 } = reading ?? {};
  const source = pausedSource(retailer);
  return [
    retailer.usable ? null : 'None of its sources has the settings that it needs.',
    blocked === 0
      ? null
      : `${whole(blocked)} of ${counted(answers, 'answer')} in seven days were refusals: a wall, a challenge or a denial.`,
    unavailable === 0
      ? null
      : `${counted(unavailable, 'answer')} asked the service to come back later, or reported an error of the shop.`,
    unreadable === 0
      ? null
      : `${counted(unreadable, 'page')} could not be read. Its pages may have changed: openshelf quality shows ` +
        'which fields are lost.',
    host === undefined || host.paused_seconds === 0
      ? null
      : `${plain(host.host, 80)} ` +
        `${host.failures === 0 ? 'asked for a pause' : `failed ${counted(host.failures, 'time')} in a row`} and ` +
        `gets no request from ${PAUSED_FOR[host.paused_for ?? 'everyone']} for ${timeWords(host.paused_seconds)}.`,
    source === undefined
      ? null
      : `Its source “${source.name}” is not queried for ${timeWords(source.paused_seconds ?? 0)}. ${source.condition?.detail ?? ''}`,
    job === undefined
      ? null
      : `Last failure: ${reasonWords(job.reason)} ${job.state === 'parked' ? 'Given up for a day.' : `Next attempt ${until(job.runs_at)}.`}`,
  ].filter((reason) => reason !== null);
}
