// What must be visible in every presentation of the console: between a phone and a desktop, in the reader's own colours, on
// paper, with prices of thousands, and without any.

import { cardOf, DESK, look, signedIn, textOf, unless, type Check } from './acts.ts';
import { someChannels } from './channel-checks.ts';
import { someWatches } from './watch-checks.ts';

/** Widths at which tables have the least room, and the narrowest phone. */
const WIDTHS = [360, 720, 768, 900] as const;

const LATER = new Date(Date.now() + 15_000_000).toISOString();
const EARLIER = new Date(Date.now() - 3_000_000).toISOString();
const REASON =
  'blocked: the shop cannot take another request now: it asked for a pause, keeps failing, requests to it are queued';
const job = (subject: string, state: string) => ({
  retailer: 'retailer_h',
  subject,
  state,
  attempts: 12,
  reason: REASON,
  created_at: EARLIER,
  runs_at: LATER,
});
/** The widest values of a queue. */
const BUSY_QUEUE = {
  waiting: 12_345,
  running: 4,
  parked: 1_234,
  jobs: [
    job('00194252099797', 'waiting'),
    job('a-shop-with-a-long-name/item/1234567890123456', 'parked'),
  ],
  hosts: [
    {
      host: 'a-shop-with-a-long-name.example',
      failures: 12,
      paused_seconds: 86_400,
      paused_for: 'one_organization',
    },
  ],
  tokens_consumed: 0,
  tokens_remaining: 1,
};

const BETWEEN: Check = {
  name: `at ${WIDTHS.join(', ')} px no table of a card or of the operator is cut, and the pages’ names are in one row`,
  run: async (parts) => {
    const watched = await signedIn(parts, undefined, true);
    const { page } = watched;
    const found: string[] = [];
    const measure = async (name: string) => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await page
          .locator('.scroll, .bar nav')
          .evaluateAll((all) =>
            all
              .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
              .map((each) => each.getAttribute('aria-label')),
          );
        await parts.shot(page, `${name}-${width}`);
        found.push(...cut.map((label) => `${name}, ${width} px: “${label}” is cut`));
        if (width < 720) continue;
        const heights = await page.locator('.bar').evaluate((bar) => bar.clientHeight);
        found.push(...unless(heights < 72, `${name}, ${width} px: the bar is ${heights} px high`));
      }
    };
    await cardOf(page, parts.stage.known);
    await measure('card');
    await page.goto(`${parts.stage.service.url}/console/operator`);
    await page.waitForSelector('[aria-label="Retailers"] tbody tr:nth-child(7)');
    await measure('operator');
    await page.route('**/v1/admin/queue', (route) => route.fulfill({ json: BUSY_QUEUE }));
    await page.reload();
    await page.waitForSelector('[aria-label="Jobs"] tbody tr:nth-child(2)');
    await measure('busy operator');
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const REFERENCE: Check = {
  name: 'the reference is not wider than a window of 320 px',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto(`${parts.stage.service.url}/docs`);
    const found = await watched.complaints();
    await watched.close();
    return found;
  },
};

const NARROW: Check = {
  name: 'at 320 px, as on a small phone or at 400 %, everything unfolded: nothing is wider than the window, no page’s name and no table is cut, the bar has two rows',
  run: async (parts) => {
    const watched = await signedIn(parts, DESK, true);
    const { page } = watched;
    const { url } = parts.stage.service;
    const found: string[] = [];
    await page.setViewportSize({ width: 320, height: 900 });
    const measure = async (name: string) => {
      const open = (all: readonly Node[]) => {
        for (const each of all) (each as HTMLDetailsElement).open = true;
      };
      // Unfolded content may contain further folded sections, once it is read.
      for (let round = 0; round < 2; round += 1) {
        await page.locator('details').evaluateAll(open);
        await page.waitForLoadState('networkidle');
      }
      await parts.shot(page, `${name}-320`);
      const over = (selector: string) =>
        page.locator(selector).evaluate((node) => node.scrollWidth - node.clientWidth);
      const [wide, cut] = [await over('html'), await over('.bar nav')];
      found.push(...unless(wide <= 0, `${name} is ${wide} px wider than the window`));
      found.push(...unless(cut <= 0, `${name}: the names of the pages are cut by ${cut} px`));
      const high = await page.locator('.bar').evaluate((bar) => bar.clientHeight);
      found.push(...unless(high < 100, `${name}: the bar is ${high} px high`));
      const tables = await page
        .locator('.panel .scroll')
        .evaluateAll((all) =>
          all
            .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
            .map((each) => each.getAttribute('aria-label')),
        );
      found.push(...tables.map((label) => `${name}: “${label}” is cut`));
    };
    await cardOf(page, parts.stage.known);
    await measure('card');
    await someChannels(parts);
    await someWatches(parts);
    await page.goto(`${url}/console/watches`);
    await page.waitForSelector('.watch:nth-child(4)');
    await measure('watches');
    await page.goto(`${url}/console/channels`);
    await page.waitForSelector('details');
    await measure('channels');
    await page.goto(`${url}/console/operator`);
    await page.waitForSelector('[aria-label="List of keys"]');
    await measure('operator');
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const OWN_COLOURS: Check = {
  name: 'with the reader’s own colours the lines keep theirs in the legend, and the selection stands out',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.emulateMedia({ forcedColors: 'active' });
    await cardOf(page, parts.stage.known);
    const backOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
    await page.waitForSelector('.swatch');
    await parts.shot(page, 'own-colours');
    const swatches = new Set(await backOf('.swatch'));
    const shops = await page.locator('.swatch').count();
    const [chosen] = await backOf('.ranges [aria-pressed="true"]');
    const [other] = await backOf('.ranges [aria-pressed="false"]');
    const [current] = await backOf('.bar nav [aria-current]');
    const found = [
      ...unless(swatches.size === shops, `${swatches.size} colours of ${shops} lines`),
      ...unless(chosen !== other, 'the chosen range looks like the others'),
      ...unless(current === chosen, 'the page that is shown looks like the others'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const PAPER: Check = {
  name:
    'on paper the chart has the names of its lines, and a table those of its columns; text is dark, and no ' +
    'input fields are printed',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, parts.stage.known);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await parts.shot(page, 'paper');
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    const fields = await page
      .locator('input, textarea')
      .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length);
    const names = await page.locator('.legend').innerText();
    const shop = await page.evaluate(
      () =>
        (JSON.parse(document.body.dataset['shops'] ?? '{}') as Record<string, string>)[
          'retailer_w'
        ],
    );
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await look(page, parts.stage.codes.slice(0, 2).join('\n'));
    await page.waitForSelector('.lines');
    await page.emulateMedia({ media: 'print' });
    const heads = await page.locator('.lines thead').innerText();
    await page.emulateMedia({ media: 'screen' });
    const found = [
      ...unless(shop !== undefined && names.includes(shop), `the legend says “${names}”`),
      ...unless(heads.includes('Best price'), `the heads say “${heads}”`),
      ...unless(ink === 'rgb(27, 32, 38)', `a dark screen prints text in ${ink}`),
      ...unless(fields === 0, `${fields} input fields are printed`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const AXIS: Check = {
  name: 'the labels of the axis have room for thousands; if no price was seen there is no axis',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    const { known } = parts.stage;
    /** The real history, with changed prices. */
    const change = (to: (price: number | null) => number | null) =>
      page.route('**/history?**', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        for (const each of body.observations) each.price = to(each.price);
        await route.fulfill({ response: answer, json: body });
      });
    await change((price) => (price === null ? null : price * 60_000));
    await cardOf(page, known);
    const { marks, room } = await page.locator('.plot').evaluate((box) => {
      const canvas = box.querySelector('canvas');
      const over = box.querySelector('.u-over');
      const context = canvas?.getContext('2d');
      if (!canvas || !over || !context) return { marks: 0, room: 0 };
      context.font = '12px system-ui, sans-serif';
      const { width } = context.measureText('$1,200,000');
      return {
        marks: width,
        room: over.getBoundingClientRect().left - canvas.getBoundingClientRect().left,
      };
    });
    await parts.shot(page, 'axis-of-millions');
    await page.unroute('**/history?**');
    await change(() => null);
    await page.reload();
    await page.waitForSelector('#chart-words');
    await page.waitForFunction(() => document.querySelector('#chart-words')?.textContent !== '');
    const words = await textOf(page, '#chart-words');
    const found = [
      ...unless(room > marks, `${room} px for labels of ${marks} px`),
      ...unless(words.includes('No price in dollars'), `the chart says “${words}”`),
      ...unless(
        !(await page
          .locator('.plot canvas')
          .isVisible()
          .catch(() => false)),
        'there is an axis',
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const VIEW_CHECKS: readonly Check[] = [BETWEEN, REFERENCE, NARROW, OWN_COLOURS, PAPER, AXIS];
