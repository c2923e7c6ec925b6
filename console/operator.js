// The operator's page: what works, what is waiting, what is spent, the keys, and what is missing.

import { call } from './api.js';
import { el, fill, problemLine, table } from './dom.js';
import {
  age,
  counted,
  hostOf,
  NONE,
  plain,
  reasonWords,
  until,
  whole,
  withHosts,
} from './format.js';
import { keysPanel } from './keys.js';
import { PAUSED_FOR, retailersTable } from './operator-retailers.js';
import { figures, usageTables } from './operator-usage.js';
import { forgetKnownRetailers, installedRetailers } from './words.js';

/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorUsage} Usage */
/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorQueue} Queue */
/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorInstallation} Installation */

/** The sections of the page, by their names in its address. */
const PARTS = /** @type {const} */ ([
  ['retailers', 'Retailers'],
  ['queue', 'Queue'],
  ['usage', 'Usage'],
  ['keys', 'Keys'],
  ['missing', 'What is missing'],
]);

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
    fill(panels, problemLine(failed === undefined || failed.ok ? '' : failed.problem.detail));
    return;
  }
  const retailers = await installedRetailers();
  fill(
    panels,
    el(
      'nav',
      { class: 'parts', 'aria-label': 'Parts of this page' },
      PARTS.map(([id, label]) => el('a', { href: `#${id}` }, label)),
    ),
    panel('retailers', 'Retailers', retailersTable(retailers, installation.body, queue.body)),
    panel('queue', 'Queue', queueTables(queue.body)),
    panel('usage', `Usage in ${usage.body.month}`, usageTables(usage.body)),
    keysPanel(),
    panel('missing', 'What this installation cannot do', lacksList(installation.body, retailers)),
  );
}

function needsAdmin() {
  return panel('refused', 'This page is for the operator', [
    el(
      'p',
      {},
      'Your key may look up products, but not see what others do. On the machine that runs the service, this ' +
        'command prints an address with that permission:',
    ),
    el('pre', { tabindex: 0 }, 'openshelf console --admin'),
  ]);
}

/**
 * @param {string} id
 * @param {string} title
 * @param {readonly import('./dom.js').Child[]} children
 */
function panel(id, title, children) {
  return el('section', { class: 'panel', id, 'aria-label': title }, el('h2', {}, title), children);
}

/**
 * Lists what is missing, line by line, and the settings of each unused official API in a table.
 * @param {Installation} installation
 * @param {readonly import('./words.js').Retailer[]} retailers
 */
function lacksList({ lacks, version, database }, retailers) {
  const about = el(
    'p',
    { class: 'soft' },
    `openshelf ${version} on ${database === 'sqlite' ? 'its own SQLite file' : 'PostgreSQL'}. Each setting goes into the environment or .env; docs/run/settings.md describes it.`,
  );
  if (lacks.length === 0) return [about, el('p', {}, 'Nothing is missing.')];
  const unused = retailers
    .filter(({ usable }) => usable)
    .flatMap(({ retailer, sources }) =>
      sources
        .filter(({ official_api: isApi, configured }) => isApi && !configured)
        .map((source) => ({ retailer, ...source })),
    );
  return [
    about,
    el(
      'ul',
      { class: 'lacks' },
      lacks.map(({ what, settings, change }) =>
        el(
          'li',
          {},
          el('p', {}, withHosts(what)),
          el('p', { class: 'soft small' }, withHosts(change)),
          settingNames(settings),
        ),
      ),
    ),
    ...apisTable(unused),
  ];
}

/** @param {readonly string[]} settings */
function settingNames(settings) {
  return el(
    'p',
    { class: 'small settings' },
    settings.map((name) => el('code', {}, name)),
  );
}

/**
 * @param {readonly { retailer: string, name: string, missing_settings: readonly string[] }[]} unused
 */
function apisTable(unused) {
  if (unused.length === 0) return [];
  return [
    el('h3', {}, 'Official APIs that are not used'),
    el(
      'p',
      { class: 'soft' },
      'Each requires credentials from its shop; docs/run/retailers.md states who can get them.',
    ),
    table(
      'Official APIs that are not used',
      ['Shop', 'API', 'Settings'],
      unused.map(({ retailer, name, missing_settings: settings }) => [
        hostOf(retailer),
        name.replaceAll('_', ' '),
        settingNames(settings),
      ]),
      'blocks',
    ),
  ];
}

/** @param {Queue} queue */
function queueTables({ waiting, running, parked, jobs, hosts }) {
  return [
    figures([
      ['Waiting', waiting],
      ['Running', running],
      ['Given up', parked],
    ]),
    jobs.length === 0
      ? el('p', { class: 'soft' }, 'No jobs are waiting.')
      : table(
          'Jobs',
          ['Retailer', 'Subject', 'State', '#Attempts', 'Reason', '#Created'],
          jobs.map(
            ({ retailer, subject, state, attempts, reason, created_at: made, runs_at: runs }) => [
              hostOf(retailer),
              el(
                'bdi',
                { class: /^\d+$/.test(subject) ? 'nowrap' : 'breakable' },
                plain(subject, 60),
              ),
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
              el('span', { class: 'soft breakable' }, reasonWords(reason) || NONE),
              age(made),
            ],
          ),
          'blocks',
        ),
    hosts.length === 0
      ? null
      : [
          el('h3', {}, 'Hosts that failed or asked for a pause'),
          table(
            'Hosts',
            ['Host', '#Consecutive failures', '#Paused for', 'Paused for whom'],
            hosts.map(({ host, failures, paused_seconds: seconds, paused_for: of }) => [
              plain(host, 80),
              whole(failures),
              seconds === 0 ? 'may be queried' : counted(seconds, 'second'),
              of === null ? NONE : PAUSED_FOR[of],
            ]),
            'blocks',
          ),
        ],
  ].flat();
}
