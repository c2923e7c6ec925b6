// When a channel sends: its quiet hours and its daily digest, in the channel's time zone, by default the browser's.

import { call } from './api.js';
import { el, fill, folded, oneAtATime, problemLine } from './dom.js';

/** @typedef {import('../src/answer/wire/watches/channels.ts').ChannelOnWire} Channel */

/** Kinds for programs, which want each notice at once. */
const OF_PROGRAMS = new Set(['webhook', 'mqtt', 'feed']);

const TIMES = /** @type {const} */ ([
  ['quiet_from', 'Quiet from'],
  ['quiet_until', 'until'],
  ['digest_at', 'One message a day, at'],
]);

/**
 * @param {Channel} channel
 * @param {{ said: HTMLElement, reload: () => void }} feedback
 */
export function schedulePart({ channel_id: id, kind, schedule }, { said, reload }) {
  if (OF_PROGRAMS.has(kind)) return null;
  const zone = schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const inputs = TIMES.map(([name, label]) => {
    const input = el('input', { type: 'time', name, id: `${id}-${name}` });
    input.value = schedule?.[name] ?? '';
    return { name, label, input };
  });
  const save = oneAtATime(async () => {
    const times = inputs.flatMap(({ name, input }) =>
      input.value === '' ? [] : [[name, input.value]],
    );
    const wanted = times.length === 0 ? null : { time_zone: zone, ...Object.fromEntries(times) };
    const path = `/v1/channels/${encodeURIComponent(id)}`;
    const answer = await call(path, { method: 'PATCH', body: { schedule: wanted } });
    fill(said, answer.ok ? el('p', {}, 'Saved.') : problemLine(answer.problem.detail));
    if (answer.ok) reload();
  });
  const { quiet_from: from, quiet_until: until, digest_at: digest } = schedule ?? {};
  const words = [
    from === undefined ? null : `quiet from ${from} to ${until}`,
    digest === undefined ? null : `once a day at ${digest}`,
  ].filter((each) => each !== null);
  return folded(
    words.length === 0 ? 'Sends at any time' : `Sends: ${words.join(', ')}`,
    el(
      'form',
      { onsubmit: save },
      el(
        'div',
        { class: 'fields' },
        inputs.map(({ label, input }) => el('p', {}, el('label', { for: input.id }, label), input)),
      ),
      el('p', { class: 'soft small' }, `Times of ${zone}. Empty: each notice at once.`),
      el('button', { type: 'submit' }, 'Save'),
    ),
  );
}
