// The operator's page: what is spent, what works, what waits, what is missing, and the keys.

import { call } from './api.js';
import { el, fill, table } from './dom.js';
import { age, counted, hostOf, NONE, percent, plain, until, whole } from './format.js';
import { keysPanel } from './keys.js';
import { forgetKnownRetailers, installedRetailers } from './words.js';

/** @typedef {import('../wire/operation.ts').OperatorUsage} Usage */
/** @typedef {import('../wire/operation.ts').OperatorQueue} Queue */
/** @typedef {import('../wire/operation.ts').OperatorInstallation} Installation */

/** @param {HTMLElement} page */
export function show(page) {
  const panels = el('div', { class: 'panels' });
  fill(
    page,
    el(
      'div',
      { class: 'section-head' },
      el('h1', {}, 'Operator'),
      el('button', { type: 'button', onclick: () => void load(panels) }, 'Read again'),
    ),
    panels,
  );
  void load(panels);
}

/** @param {HTMLElement} panels */
async function load(panels) {
  fill(panels, el('p', { class: 'soft busy', role: 'status' }, 'Reading…'));
  forgetKnownRetailers();
  /** @type {Promise<import('./api.js').Answer<Usage>>} */
  const asked = call('/v1/admin/usage');
  /** @type {Promise<import('./api.js').Answer<Queue>>} */
  const askedQueue = call('/v1/admin/queue');
  /** @type {Promise<import('./api.js').Answer<Installation>>} */
  const askedLacks = call('/v1/admin/installation');
  const [usage, queue, installation] = await Promise.all([asked, askedQueue, askedLacks]);
  if (!usage.ok && usage.problem.code === 'insufficient_scope') {
    fill(panels, needsAdmin());
    return;
  }
  const failed = [usage, queue, installation].find((answer) => !answer.ok);
  if (!usage.ok || !queue.ok || !installation.ok) {
    fill(
      panels,
      el(
        'p',
        { class: 'problem', role: 'alert' },
        failed === undefined || failed.ok ? '' : failed.problem.detail,
      ),
    );
    return;
  }
  const retailers = await installedRetailers();
  fill(
    panels,
    lacksPanel(installation.body),
    retailersPanel(retailers, installation.body),
    queuePanel(queue.body),
    usagePanel(usage.body),
    keysPanel(),
  );
}

function needsAdmin() {
  return panel(
    'This page is for the operator',
    el(
      'p',
      {},
      'Your key may look products up, and not see what others do. On the machine of the service, this prints an address that may:',
    ),
    el('pre', { tabindex: 0 }, 'openshelf console --admin'),
  );
}

/**
 * @param {string} title
 * @param {...(import('./dom.js').Child | readonly import('./dom.js').Child[])} children
 */
function panel(title, ...children) {
  return el('section', { class: 'panel', 'aria-label': title }, el('h2', {}, title), ...children);
}

/** @param {Installation} installation */
function lacksPanel({ lacks, version, database }) {
  const about = el(
    'p',
    { class: 'soft' },
    `openshelf ${version} on ${database === 'sqlite' ? 'its own SQLite file' : 'PostgreSQL'}.`,
  );
  if (lacks.length === 0)
    return panel('What this installation cannot do', about, el('p', {}, 'Nothing is missing.'));
  return panel(
    'What this installation cannot do',
    about,
    el(
      'ul',
      { class: 'lacks' },
      lacks.map(({ what, settings, change }) =>
        el(
          'li',
          {},
          el('p', {}, what),
          el(
            'p',
            { class: 'soft small' },
            `${change} `,
            settings.map((name, at) => [at === 0 ? '' : ' ', el('code', {}, name)]).flat(),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {readonly import('./words.js').Retailer[]} retailers
 * @param {Installation} installation
 */
function retailersPanel(retailers, { readings }) {
  return panel(
    'Retailers',
    table(
      'Retailers',
      ['Shop', 'Works', 'Sources', '#Answers, 7 days', '#Fields there', '#Last success'],
      retailers.map(({ retailer, usable, sources, last_success_at: last }) => {
        const reading = readings.find((each) => each.retailer === retailer);
        const paused = sources.find(({ paused_seconds: seconds }) => seconds !== null);
        return [
          [hostOf(retailer), ' ', retailer].join(''),
          worksOf(usable, paused?.paused_seconds ?? null),
          el(
            'span',
            { class: 'soft' },
            sources
              .filter(({ configured }) => configured)
              .map(({ name, official_api: official }) => `${name}${official ? ' (API)' : ''}`)
              .join(', ') || NONE,
          ),
          reading === undefined ? NONE : `${whole(reading.read)} of ${whole(reading.answers)}`,
          reading?.fill_rate === null || reading === undefined
            ? NONE
            : percent(reading.fill_rate * 100),
          last === null ? 'never' : age(last),
        ];
      }),
    ),
  );
}

/**
 * @param {boolean} usable
 * @param {number | null} pausedSeconds
 */
function worksOf(usable, pausedSeconds) {
  if (!usable) return el('span', { class: 'state bad' }, 'No source');
  if (pausedSeconds !== null)
    return el(
      'span',
      { class: 'state warn' },
      `Paused for ${counted(Math.ceil(pausedSeconds / 60), 'minute')}`,
    );
  return el('span', { class: 'state good' }, 'Yes');
}

/** @param {Queue} queue */
function queuePanel({ waiting, running, parked, jobs, hosts }) {
  return panel(
    'Queue',
    el(
      'dl',
      { class: 'figures' },
      [
        ['Waiting', waiting],
        ['Running', running],
        ['Given up', parked],
      ].map(([name, value]) =>
        el('div', {}, el('dt', {}, name ?? ''), el('dd', {}, whole(Number(value)))),
      ),
    ),
    jobs.length === 0
      ? el('p', { class: 'soft' }, 'No job waits.')
      : table(
          'Jobs',
          ['Asks', 'For', 'State', '#Attempts', 'Why', '#Asked for'],
          jobs.map(
            ({ retailer, subject, state, attempts, reason, created_at: made, runs_at: runs }) => [
              hostOf(retailer),
              el('bdi', {}, plain(subject, 60)),
              el(
                'span',
                { class: `state ${state === 'parked' ? 'warn' : 'quiet'}` },
                state === 'parked'
                  ? 'given up'
                  : state === 'waiting'
                    ? `waiting, runs ${until(runs)}`
                    : state,
              ),
              whole(attempts),
              el('span', { class: 'soft' }, plain(reason, 200) || NONE),
              age(made),
            ],
          ),
        ),
    hosts.length === 0
      ? null
      : [
          el('h3', {}, 'Hosts that failed'),
          table(
            'Hosts',
            ['Host', '#Failures in a row', '#Gets no request for'],
            hosts.map(({ host, failures, paused_seconds: seconds }) => [
              plain(host, 80),
              whole(failures),
              seconds === 0 ? 'may be asked' : counted(seconds, 'second'),
            ]),
          ),
        ],
  );
}

/** @param {Usage} usage */
function usagePanel({ month, days, endpoints, organizations }) {
  const total = days.reduce((all, { tokens }) => all + tokens, 0);
  const most = Math.max(1, ...days.map(({ tokens }) => tokens));
  return panel(
    `Usage in ${month}`,
    el(
      'dl',
      { class: 'figures' },
      el('div', {}, el('dt', {}, 'Tokens'), el('dd', {}, whole(total))),
      el(
        'div',
        {},
        el('dt', {}, 'Calls'),
        el('dd', {}, whole(days.reduce((all, { calls }) => all + calls, 0))),
      ),
    ),
    days.length === 0
      ? el('p', { class: 'soft' }, 'No billed call yet this month.')
      : table(
          'Usage by day',
          ['Day', '', '#Tokens', '#Calls'],
          days.toReversed().map(({ date, tokens, calls }) => [
            date,
            el('progress', {
              max: most,
              value: tokens,
              'aria-label': `Share of the busiest day on ${date}`,
            }),
            whole(tokens),
            whole(calls),
          ]),
        ),
    el('h3', {}, 'By route'),
    endpoints.length === 0
      ? el('p', { class: 'soft' }, 'None.')
      : table(
          'Usage by route',
          ['Route', '#Tokens', '#Calls'],
          endpoints.map(({ endpoint, tokens, calls }) => [endpoint, whole(tokens), whole(calls)]),
        ),
    el('h3', {}, 'By organization'),
    table(
      'Usage by organization',
      ['Organization', '#Tokens', '#of the month’s', '#Calls'],
      organizations.map(({ organization, tokens, tokens_allowance: allowance, calls }) => [
        el('bdi', {}, plain(organization, 100)),
        whole(tokens),
        whole(allowance),
        whole(calls),
      ]),
    ),
  );
}
