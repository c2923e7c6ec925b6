// The page of the browsers that are signed in: a code for a phone or another machine, how a phone reaches the service, and
// the list.

import { call } from './api.js';
import { confirmButton, el, fill, keepFocus, oneAtATime, problemLine, table } from './dom.js';
import { age, day, NONE, plain } from './format.js';

/** @typedef {import('../src/answer/wire/installation/sessions.ts').SessionList} SessionList */

const LOOPBACK = /^(?:localhost|127\..*|\[::1\])$/;

/** @param {HTMLElement} content */
export function show(content) {
  const list = el('div', {});
  const said = el('div', { role: 'status' });
  const reload = () => void load(list, said, reload);
  fill(
    content,
    el('h1', {}, 'Devices'),
    el(
      'div',
      { class: 'panels' },
      phonePart(reload),
      httpsPart(),
      el(
        'section',
        { class: 'panel', id: 'sessions', 'aria-labelledby': 'signed-in' },
        el('h2', { id: 'signed-in' }, 'Signed in'),
        el(
          'p',
          { class: 'soft' },
          'Each browser stays signed in for 30 days at most, and never longer than the key it belongs to is valid.',
        ),
        said,
        list,
      ),
    ),
  );
  reload();
}

/** @param {() => void} reload */
function phonePart(reload) {
  const shown = el('div', { role: 'status' });
  const known = document.body.dataset['public'] ?? '';
  const here = LOOPBACK.test(location.hostname) ? '' : location.origin;
  const address = el('input', {
    id: 'phone-address',
    type: 'url',
    required: true,
    value: known === '' ? here : known,
    placeholder: 'https://NAME:8443',
    autocomplete: 'off',
  });
  const submit = oneAtATime(async () => {
    const base = address.value.trim().replace(/\/+$/, '');
    const answer = /** @type {import('./api.js').Answer<{ code: string, expires_at: string }>} */ (
      await call('/console/code', { method: 'POST' })
    );
    if (!answer.ok) {
      fill(shown, problemLine(answer.problem.detail));
      return;
    }
    const { code } = answer.body;
    fill(
      shown,
      await picture(`${base}/console#code=${code}`),
      el(
        'p',
        {},
        'Or open ',
        el('code', {}, `${base}/console`),
        ' and type ',
        el('code', { class: 'code' }, code),
        '.',
      ),
      el(
        'p',
        { class: 'soft' },
        'Valid once, for ten minutes. Whoever uses it can do what you can, so show it to nobody else. ',
        base.startsWith('https:')
          ? null
          : 'This address is not https: the phone is signed in until its tab is closed, and others on the network can read what it sends. ',
        el('button', { type: 'button', class: 'plain', onclick: reload }, 'Has it signed in?'),
      ),
    );
  });
  return el(
    'section',
    { class: 'panel', 'aria-labelledby': 'phone' },
    el('h2', { id: 'phone' }, 'On your phone'),
    el(
      'form',
      { onsubmit: submit },
      el('label', { for: 'phone-address' }, 'Address at which the phone reaches this service'),
      el(
        'div',
        { class: 'row' },
        address,
        el('button', { class: 'primary', type: 'submit' }, 'Show a code'),
      ),
    ),
    shown,
  );
}

/** Draws a QR code, dark on light in either scheme, as readers expect. @param {string} text */
async function picture(text) {
  const file = './lean-qr.js';
  const { generate } = /** @type {typeof import('lean-qr/nano')} */ (await import(file));
  const code = generate(text);
  const name = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(name, 'svg');
  // Four modules of quiet zone around it.
  svg.setAttribute('viewBox', `-4 -4 ${code.size + 8} ${code.size + 8}`);
  svg.setAttribute('class', 'qr');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'QR code of the address that signs in');
  const path = document.createElementNS(name, 'path');
  let dark = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) dark += `M${x} ${y}h1v1h-1z`;
  path.setAttribute('d', dark);
  svg.append(path);
  return svg;
}

function httpsPart() {
  const port = location.port === '' ? '8790' : location.port;
  return el(
    'details',
    { class: 'panel' },
    el('summary', {}, 'How a phone reaches it by https'),
    el(
      'p',
      {},
      'A phone can also use http, if HOST is 0.0.0.0: it is signed in until its tab is closed, for at most twelve hours, and ' +
        'others on the network can read what it sends. Staying signed in and copying need https. Both ways below also need ',
      el('code', {}, 'OPENSHELF_TRUST_PROXY=true'),
      '.',
    ),
    el('h3', {}, 'Caddy with its own certificate authority'),
    el(
      'p',
      {},
      'On the machine of the service, with the name or address by which the phone finds that machine:',
    ),
    el(
      'pre',
      { tabindex: 0 },
      `caddy reverse-proxy --from https://NAME:8443 --to 127.0.0.1:${port} --internal-certs`,
    ),
    el(
      'p',
      {},
      'Once, install its root certificate on the phone and trust it: ',
      el('code', {}, 'caddy/pki/authorities/local/root.crt'),
      ' below ',
      el('code', {}, '~/.local/share'),
      '. Then use https://NAME:8443 above.',
    ),
    el('h3', {}, 'A tunnel'),
    el(
      'p',
      {},
      `Point it to http://127.0.0.1:${port} and let it provide https, as Tailscale (`,
      el('code', {}, `tailscale serve ${port}`),
      ') and Cloudflare do. It has to pass on the Host header and set X-Forwarded-Proto. If strangers can open its ' +
        'address, they see the sign-in page only.',
    ),
  );
}

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
async function load(list, said, reload) {
  const answer = /** @type {import('./api.js').Answer<SessionList>} */ (await call('/v1/sessions'));
  if (!answer.ok) {
    fill(list, problemLine(answer.problem.detail));
    return;
  }
  const { sessions } = answer.body;
  const others = sessions.filter((each) => !each.is_current);
  /** @param {readonly string[]} ids */
  const end = async (ids) => {
    for (const id of ids) {
      const ended = await call(`/v1/sessions/${id}`, { method: 'DELETE' });
      if (!ended.ok && ended.problem.status !== 404) {
        fill(said, problemLine(ended.problem.detail));
        return;
      }
    }
    fill(said, el('p', {}, ids.length === 1 ? 'It is signed out.' : 'They are signed out.'));
    reload();
  };
  keepFocus(list, 'data-session', () =>
    fill(
      list,
      table(
        'Browsers that are signed in',
        ['Browser', 'Signed in', 'Last used', 'Until', ''],
        sessions.map((each) =>
          el(
            'tr',
            { 'data-session': each.id },
            el(
              'th',
              { scope: 'row' },
              browserOf(each.user_agent),
              each.is_current ? el('span', { class: 'mark' }, 'this one') : null,
            ),
            el('td', { class: 'soft' }, age(each.created_at)),
            el('td', { class: 'soft nowrap' }, each.last_used ?? NONE),
            el('td', { class: 'soft nowrap' }, day(each.expires_at)),
            el(
              'td',
              { class: 'nowrap' },
              each.is_current
                ? ''
                : confirmButton({
                    label: 'Sign out',
                    about: browserOf(each.user_agent),
                    act: () => end([each.id]),
                  }),
            ),
          ),
        ),
        'blocks',
      ),
      others.length < 2
        ? null
        : confirmButton({
            label: 'Sign out all others',
            about: `${others.length} browsers`,
            act: () => end(others.map(({ id }) => id)),
          }),
    ),
  );
}

/** Browsers name others after themselves: the first of these is the right one. */
const BROWSERS = [
  'EdgA',
  'Edg',
  'OPR',
  'SamsungBrowser',
  'Firefox',
  'FxiOS',
  'CriOS',
  'Chrome',
  'Safari',
];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'Linux'];
/** Names that people know. @type {Readonly<Record<string, string>>} */
const KNOWN = {
  Edg: 'Edge',
  EdgA: 'Edge',
  OPR: 'Opera',
  FxiOS: 'Firefox',
  CriOS: 'Chrome',
  Macintosh: 'Mac',
};

/** Names a browser by what it sent, which may be anything. @param {string} agent */
function browserOf(agent) {
  const browser = BROWSERS.find((name) => agent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => agent.includes(name));
  if (browser === undefined) return plain(agent, 40) || 'Unknown browser';
  const name = KNOWN[browser] ?? browser;
  return system === undefined ? name : `${name} on ${KNOWN[system] ?? system}`;
}
