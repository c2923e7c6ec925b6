// A shop, a seller, a reviewer, a receiver or a caller all of whose texts try to run code. The service's answers are changed on
// their way to the browser, so that such a text is in every place that shows one, even where no shop's page can put it today.

import { spawnSync } from 'node:child_process';

import type { Page, Route } from 'playwright-core';

import {
  cardOf,
  DESK,
  look,
  signedIn,
  textOf,
  unless,
  type Check,
  type CheckParts,
} from './acts.ts';
import { someChannels } from './channel-checks.ts';
import { HOSTILE } from './stage.ts';
import { someWatches } from './watch-checks.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Names of fields whose values are one of our few fixed words, or lead to the next call: nobody else writes them. */
const OURS = words(
  'status state kind code method tone outcome warnings condition seller_type paused_for scopes month day interval gtin suspect ' +
    'retailer price_source cost currency id watch_id channel_id delivery_id key_id next picture sparkline',
);
/** What the service says about itself, without text from strangers. */
const SERVICE = words(
  'title_source brand_source weight_lbs_source dimensions_source endpoint what change settings version sources',
);
const INSTANT = /^\d{4}-\d\d-\d\d(?:T|$)/;

type Attack = {
  /** Follows the field name, so that a truncated text begins with both. */
  readonly text: (field: string) => string;
  readonly address: string;
  /** It is only visually wrong and runs nowhere: the service's own words are left alone. */
  readonly isSparing?: true;
  /** Of a shop that the record and the chart mention. */
  readonly slug: string;
};
/** Each can be interpreted as markup, an attribute within either quotation mark, a script, a template and a formula. */
const ATTACKS: readonly Attack[] = [
  {
    text: (field) => `[${field}]"'><img src=x onerror=owned=1>\${owned=1}`,
    address: 'javascript:owned=1//https://shop.example/',
    slug: '"><img src=x onerror=owned=1>',
  },
  {
    text: (field) => `=[${field}]' onfocus=owned=1 autofocus x='</script><svg onload=owned=1>`,
    address: 'data:text/html,<script>opener.owned=1</script>',
    slug: 'constructor',
  },
  {
    text: (field) =>
      `\u202e[${field}]\u2066\u061c<iframe srcdoc="<script>parent.owned=1</script>">`,
    address: ' java\tscript:owned=1',
    slug: '__proto__',
    isSparing: true,
  },
];

/** Rarely present fields, added so that their texts are shown too. */
const SELDOM: Readonly<Record<string, readonly object[]>> = {
  disagreements: [
    { retailer: 'retailer_t', reason: 'x', detail: 'x', their_title: 'x', consensus_title: 'x' },
  ],
  jobs: [{ retailer: 'retailer_h', subject: 'x', state: 'parked', attempts: 5, reason: 'x' }],
  hosts: [{ host: 'x', failures: 5, paused_seconds: 60, paused_for: 'everyone' }],
};

/**
 * Returns the same answer with every text from strangers changed. A member called `__proto__` is treated like any other in
 * JSON.
 */
function spoiled(body: unknown, attack: Attack): string {
  const change = (value: unknown, field: string): unknown => {
    if (attack.isSparing && SERVICE.has(field)) return value;
    if (Array.isArray(value)) {
      const some = value.length === 0 ? (SELDOM[field] ?? []) : value;
      return some.map((each) => change(each, field));
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, change(each, name)]),
      );
    }
    if (typeof value !== 'string' || OURS.has(field) || INSTANT.test(value)) return value;
    return /^https?:/.test(value) ? attack.address : attack.text(field);
  };
  const changed = change(body, '') as Spoiled;
  const { cross_retailer: cells, observations: seen } = changed;
  const [cell] = Object.values(cells ?? {});
  if (cells && cell) {
    const value = { ...cell, retailer: attack.slug };
    Object.defineProperty(cells, attack.slug, { value, enumerable: true });
  }
  if (seen?.[0]) seen.unshift({ ...seen[0], retailer: attack.slug });
  const added = { ...changed, PROTOTYPE: { owned: 1 } };
  return JSON.stringify(added).replace('"PROTOTYPE"', '"__proto__"');
}

type Spoiled = {
  readonly cross_retailer?: Record<string, object>;
  readonly observations?: object[];
};

/** Finds elements that no console page may have, wherever its texts come from. */
async function intrusions(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    if ('owned' in globalThis || 'owned' in {}) found.push('a text ran');
    const made =
      'script, style, iframe, object, embed, svg, math, base, meta, link, template, audio, video';
    for (const each of document.body.querySelectorAll(made))
      found.push(`a <${each.localName}> was made`);
    for (const each of document.body.querySelectorAll('*')) {
      for (const { name, value } of each.attributes) {
        if (name.startsWith('on') || name === 'srcdoc') found.push(`<${each.localName} ${name}>`);
        if (!/^(?:href|src|srcset|action|formaction|data|poster|background)$/.test(name)) continue;
        const { protocol, origin } = new URL(value, location.href);
        const isOurs = origin === location.origin;
        const leads = each instanceof HTMLAnchorElement && /^https?:$/.test(protocol);
        if (!isOurs && !leads) found.push(`<${each.localName} ${name}="${value.slice(0, 60)}">`);
      }
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: holder } = texts.currentNode as Text;
      if (/[\u061c\u202a-\u202e\u2066-\u2069]/.test(data))
        found.push(
          `<${holder?.localName} class="${holder?.className}"> turns: ${data.slice(0, 60)}`,
        );
    }
    return found;
  });
}

/** Unfolds everything, including what is only read once unfolded. */
async function unfold(page: Page): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await page.locator('details').evaluateAll((all) => {
      for (const each of all) (each as HTMLDetailsElement).open = true;
    });
    await page.waitForLoadState('networkidle');
  }
}

/** A view filled with everything that it can show, and the fields whose texts it must all show. */
type View = {
  readonly name: string;
  readonly shows: string;
  readonly open: (parts: CheckParts, page: Page) => Promise<readonly string[]>;
};

const VIEWS: readonly View[] = [
  {
    name: 'card',
    shows:
      'title brand categories mpn model seller_name name value description note detail their_title consensus_title text',
    open: async ({ stage }, page) => {
      await cardOf(page, stage.known);
      await unfold(page);
      await page.click('text=Fetch offers and reviews now');
      await page.waitForSelector('.reviews li');
      await page.fill('#profit-cost', '5');
      await page.click('text=Calculate (3 tokens)');
      await page.waitForSelector('.profit-result table');
      await page.focus('.plot');
      await page.keyboard.press('End');
      return [];
    },
  },
  {
    name: 'page-text',
    shows: 'lines field why',
    open: async (_, page) => {
      await cardOf(page, `${HOSTILE}/script`);
      await unfold(page);
      await page.waitForSelector('.page-text');
      return [];
    },
  },
  {
    name: 'table',
    shows: 'title',
    open: async ({ stage }, page) => {
      await look(page, stage.codes.slice(0, 4).join(', 5\n'));
      await page.waitForFunction(
        () => document.querySelectorAll('tr[data-state="done"]').length === 4,
      );
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('text=Download as CSV'),
      ]);
      const file = Buffer.concat((await (await download.createReadStream()).toArray()) as Buffer[]);
      const runs = /(?:^|,|;|")[=+@-](?![\d.])/m.test(file.toString());
      return unless(!runs, 'a cell of the file starts a formula');
    },
  },
  {
    name: 'sheet',
    shows: 'identifier_column other_columns remarks what',
    open: async (_, page) => {
      await page.setInputFiles('#sheet-file', {
        name: `\u202e<img src=x onerror=owned=1>.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'a title of the sheet\nUPC,EAN,Cost\n614141000005,0614141000005,1\nnonsense,,3\n6.14E+11,,2\n',
        ),
      });
      await page.waitForSelector('#sheet details');
      await unfold(page);
      return [];
    },
  },
  {
    name: 'problem',
    shows: 'title detail',
    open: async (_, page) => {
      await look(page, 'nonsense');
      await page.waitForSelector('.problem-box');
      return [];
    },
  },
  {
    name: 'watches',
    shows: 'title text identifier reason name',
    open: async (parts, page) => {
      await page.goto(`${parts.stage.service.url}/console/watches`);
      await page.waitForSelector('.watch:nth-child(4)');
      for (const each of await page.locator('.watch').all()) await each.scrollIntoViewIfNeeded();
      await page.click('.watch button:has-text("Send a test")');
      await page.waitForSelector('.notice[data-kind="test"]');
      await unfold(page);
      return [];
    },
  },
  {
    name: 'channels',
    shows: 'name hint detail excerpt',
    open: async (parts, page) => {
      await page.goto(`${parts.stage.service.url}/console/channels`);
      await page.waitForSelector('.channel:nth-child(3)');
      await page.locator('.channel button:has-text("Send a test")').first().click();
      await page.waitForSelector('.tested > :not(.busy)');
      await unfold(page);
      return [];
    },
  },
  {
    name: 'operator',
    shows: 'organization note reason what change settings host subject',
    open: async (parts, page) => {
      await page.goto(`${parts.stage.service.url}/console/operator`);
      await page.waitForSelector('[aria-label="List of keys"]');
      await unfold(page);
      return [];
    },
  },
];

const RUNS: Check = {
  name: 'hostile texts are shown as text on every page: none becomes an element, attribute, address or script, and none runs',
  run: async (parts) => {
    const found: string[] = [];
    await someChannels(parts);
    await someWatches(parts);
    for (const attack of ATTACKS) {
      for (const { name, shows, open } of VIEWS) {
        const watched = await signedIn(parts, DESK, true);
        const { page } = watched;
        const spoil = (route: Route) => answerSpoiled(route, attack);
        for (const calls of ['**/v1/**', '**/console/sheet?**']) await page.route(calls, spoil);
        found.push(...(await open(parts, page)).map((each) => `${name}: ${each}`));
        const text = await textOf(page, 'body');
        const expected = shows
          .split(' ')
          .filter((field) => attack.isSparing !== true || !SERVICE.has(field));
        const missing = expected.filter((field) => !text.includes(`[${field}]`));
        await parts.shot(page, `hostile-${name}`);
        const complaints = [...(await intrusions(page)), ...(await watched.complaints())];
        found.push(
          ...missing.map((field) => `${name}: no text of “${field}” is shown`),
          ...complaints.map((each) => `${name}: ${each}`),
        );
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await watched.close();
      }
    }
    return found;
  },
};

async function answerSpoiled(route: Route, attack: Attack): Promise<void> {
  // The stream of changes does not end, and contains no text of a shop.
  if (route.request().headers()['accept'] === 'text/event-stream') {
    return route.fulfill({ status: 204 });
  }
  const response = await route.fetch();
  const type = response.headers()['content-type'] ?? '';
  if (!type.includes('json')) return route.fulfill({ response });
  return route.fulfill({ response, body: spoiled(await response.json(), attack) });
}

const COPIED: Check = {
  name: 'an address with quotation marks and $( ) is shown unchanged, and the call that is copied for a shell is a single curl call',
  run: async (parts) => {
    const address = `${HOSTILE}/script?a='$(id)'\`id\`&b=<svg/onload=owned=1>`;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, address);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await unfold(page);
    await page.click('button:text-is("Copy")');
    await page.waitForSelector('text=Copied.');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    // A shell runs it, with a curl that prints its arguments.
    const program = `curl() { printf '%s\\n' "$@"; }\n${copied}`;
    const { stdout } = spawnSync('sh', ['-c', program], { encoding: 'utf8' });
    const given = stdout.trimEnd().split('\n');
    const sent = decodeURIComponent(new URL(given[2] ?? 'x:').pathname);
    const found = [
      ...unless(given.length === 3, `curl is given ${JSON.stringify(given)}`),
      ...unless(sent.startsWith(`/v1/products/${HOSTILE}/script?a='$(id)'`), `it asks for ${sent}`),
      ...(await intrusions(page)),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const HOSTILE_CHECKS: readonly Check[] = [RUNS, COPIED];
