// What was spent this month: by day, by route, by organization.

import { el, table } from './dom.js';
import { percent, plain, whole } from './format.js';

/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorUsage} Usage */

/** @param {Usage} usage */
export function usageTables({ days, endpoints, organizations }) {
  const total = days.reduce((all, { tokens }) => all + tokens, 0);
  const most = Math.max(1, ...days.map(({ tokens }) => tokens));
  return [
    figures([
      ['Tokens', total],
      ['Calls', days.reduce((all, { calls }) => all + calls, 0)],
      ['Organizations', organizations.length],
    ]),
    el('h3', {}, 'By day'),
    days.length === 0
      ? el('p', { class: 'soft' }, 'No billed call yet this month.')
      : table(
          'Usage by day',
          ['Day', '', '#Tokens', '#Calls'],
          days.toReversed().map(({ date, tokens, calls }) => [
            el('span', { class: 'nowrap' }, date),
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
          endpoints.map(({ endpoint, tokens, calls }) => [
            el('span', { class: 'breakable' }, endpoint),
            whole(tokens),
            whole(calls),
          ]),
        ),
    el('h3', {}, 'By organization'),
    table(
      'Usage by organization',
      ['Organization', '#Tokens', '#Allowance', '#Used', '#Calls'],
      organizations.map(({ organization, tokens, tokens_allowance: allowance, calls }) => [
        el('bdi', { class: 'breakable' }, plain(organization, 100)),
        whole(tokens),
        whole(allowance),
        allowance === 0 ? '' : percent((tokens / allowance) * 100),
        whole(calls),
      ]),
      'blocks',
    ),
  ];
}

/**
 * Shows numbers in large type with their labels.
 * @param {readonly (readonly [name: string, value: number])[]} list
 */
export function figures(list) {
  return el(
    'dl',
    { class: 'figures' },
    list.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, whole(value)))),
  );
}
