// The console's pages as the server sends them: the same for everyone, without any data. Their script signs in and
// fetches the rest. Without a script they state what the service is and where to read on.

import { ADD_ON_TOKENS, BASE_TOKENS, mostItCanCost } from '../../base/call-cost.ts';
import { html, type Html } from '../reference/markup.ts';

/** Facts that every page of the console shows or uses. */
export type ShellFacts = {
  readonly title: string;
  readonly version: string;
  /** Hosts of the known retailers by slug, in order; the pages derive columns and choices from them. */
  readonly shops: Readonly<Record<string, string>>;
  /** Whether the shops are simulated: then there are products to show to everyone. */
  readonly isSimulated: boolean;
  /** The currency of answers that request none. */
  readonly usualCurrency: string;
  /** The address of this installation for people elsewhere; null if none is set. */
  readonly publicUrl: string | null;
};

type Page = {
  readonly path: string;
  readonly name: string;
  readonly label: string;
  readonly hasChart?: boolean;
  /** Whether the foot of the page leads there, and not its bar, which is full at 320 px. */
  readonly isAside?: boolean;
};

/** In navigation order. `name` is the page's module, below /console. */
export const PAGES: readonly Page[] = [
  { path: '/console', name: 'look', label: 'Look up', hasChart: true },
  { path: '/console/watches', name: 'watches', label: 'Watches' },
  { path: '/console/channels', name: 'channels', label: 'Channels' },
  { path: '/console/operator', name: 'operator', label: 'Operator' },
  { path: '/console/devices', name: 'devices', label: 'Devices', isAside: true },
];

/** Token prices shown in the pages: a table line, a comparison, a lookup with live offers, a read of a watch. */
const PRICES = {
  line: BASE_TOKENS.product + ADD_ON_TOKENS.includeCrossRetailer,
  comparison: BASE_TOKENS.compare,
  offers: mostItCanCost({
    kind: 'product',
    addOns: { includeOffers: true, includeOffersReviews: true },
  }),
  watchedRead: BASE_TOKENS.watchedRead,
  look: BASE_TOKENS.look,
};

/** Returns the markup of one page. `files` is the path below which its scripts and styles are. */
export function shell(page: Page, facts: ShellFacts, files: string): string {
  const { title, version, shops, isSimulated, usualCurrency, publicUrl } = facts;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.label} · ${title}</title>
        <link rel="icon" href="${files}/icon.svg" type="image/svg+xml" />
        ${page.hasChart ? html`<link rel="stylesheet" href="${files}/uplot.css" />` : null}
        <link rel="stylesheet" href="${files}/console.css" />
        ${page.hasChart ? html`<script src="${files}/uplot.js" defer></script>` : null}
        <script type="module" src="${files}/main.js"></script>
      </head>
      <body
        data-page="${page.name}"
        data-prices="${JSON.stringify(PRICES)}"
        data-shops="${JSON.stringify(shops)}"
        data-simulated="${String(isSimulated)}"
        data-currency="${usualCurrency}"
        data-public="${publicUrl ?? ''}"
      >
        <a class="skip" href="#content">Skip to the page</a>
        <header class="bar">
          <a class="brand" href="/console">${title}</a>
          <nav aria-label="Pages">
            ${PAGES.filter(({ isAside }) => isAside !== true).map((each) => link(each, page))}
          </nav>
          <div id="session"></div>
        </header>
        <main id="content" tabindex="-1">${signIn(title)}</main>
        <footer>
          ${title} ${version} ·
          ${PAGES.filter(({ isAside }) => isAside === true).map((each) => link(each, page))} ·
          <a href="/docs">Reference of every route and field</a> ·
          <a href="/openapi.json">OpenAPI</a>
        </footer>
      </body>
    </html> `.markup;
}

function link({ path, name, label }: Page, current: Page): Html {
  const isCurrent = name === current.name;
  return isCurrent
    ? html`<a href="${path}" aria-current="page">${label}</a>`
    : html`<a href="${path}">${label}</a>`;
}

/** The commands that print an address to sign in with, by installation; the last one for `deploy/openshelf.service`. */
const COMMANDS: readonly (readonly [where: string, command: string])[] = [
  ['Checkout', './bin/openshelf console'],
  ['The demo', './bin/openshelf console --admin --data data/demo'],
  ['Docker', 'docker exec openshelf openshelf console'],
  [
    'systemd',
    "sudo sh -c 'set -a; . /etc/openshelf/openshelf.env; OPENSHELF_DATA=/var/lib/openshelf " +
      "/opt/openshelf/bin/openshelf console'",
  ],
];

/** Returns the content of the page until somebody is signed in; the script shows the form. */
function signIn(title: string): Html {
  return html`<section class="sign-in" id="sign-in">
    <h1>One barcode in, one product record out</h1>
    <p class="lead">
      ${title} looks up a product at every shop it can query, shows which of them really sell it,
      and stores the prices it has seen.
    </p>
    <form id="key-form" hidden>
      <label for="key">One-time code or API key</label>
      <div class="row">
        <input
          id="key"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          aria-describedby="key-help key-problem"
        />
        <button class="primary" type="submit">Sign in</button>
      </div>
      <p id="key-problem" class="problem" role="alert"></p>
      <p id="key-help" class="soft">
        You stay signed in for 30 days, or until you sign out. Over plain http from another machine,
        you are signed in until you close the tab, for at most twelve hours, and others on that
        network can read what you send: type no key there.
      </p>
    </form>
    <noscript>
      <p class="problem">
        This page requires JavaScript. The reference and the API work without it.
      </p>
    </noscript>
    <h2>No code at hand?</h2>
    <p>
      A browser that is already signed in makes one under <a href="/console/devices">Devices</a>.
      Otherwise print an address that signs in once, on the machine that runs the service:
    </p>
    <dl class="commands">
      ${COMMANDS.map(
        ([where, command]) =>
          html`<div>
            <dt>${where}</dt>
            <dd><code>${command}</code></dd>
          </div>`,
      )}
    </dl>
    <p class="soft">
      <code>--admin</code> also opens the operator's page, <code>--url ADDRESS</code> prints the
      address for a browser on another machine.
      <code>openshelf keys create --org NAME</code> creates a key for programs.
    </p>
    <p>The same from a terminal:</p>
    <pre
      tabindex="0"
    ><code>curl -H "Authorization: Bearer $KEY" "$BASE/v1/products/614141000005"</code></pre>
    <p class="soft">
      <code>$BASE</code> is the address of this service, <code>$KEY</code> the key.
      <a href="/docs">The reference</a> lists every route and field,
      <a href="/openapi.json">/openapi.json</a> contains the same for programs,
      <a href="/readyz">/readyz</a> shows whether the service is ready.
    </p>
  </section>`;
}
