// Checks of Back and Forward between lookups: the earlier content is shown again, and nothing is requested or charged for it.

import { cardOf, look, signedIn, textOf, unless, type Check } from './acts.ts';

const LOOKUP = 'include_cross_retailer';

const BACK: Check = {
  name:
    'Back and Forward show the previous and next lookups as they were, without a call; a lookup that was ' +
    'left too early is sent again',
  run: async (parts) => {
    const { known, codes } = parts.stage;
    const [, second = ''] = codes;
    const watched = await signedIn(parts);
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const calls = () => asked.splice(0).filter((url) => url.includes('/v1/')).length;
    const shown = async () => ({
      title: await textOf(page, 'h1'),
      box: await page.inputValue('#query'),
      isInAddress: page.url().includes(`q=${await page.inputValue('#query')}`),
      tab: await page.title(),
    });
    await cardOf(page, known);
    await page.click('text=Raw JSON');
    const first = await shown();
    // Repeating the same lookup adds no entry.
    await cardOf(page, known);
    await cardOf(page, second);
    const other = await shown();
    await look(page, codes.slice(0, 3).join('\n'));
    await page.waitForFunction(
      () => document.querySelectorAll('tr[data-state="done"]').length === 3,
    );
    await page.waitForSelector('[aria-label="Table of products"]:not([aria-busy])', {
      timeout: 60_000,
    });
    const table = await textOf(page, 'h1');
    calls();
    await page.goBack();
    const backOnce = await shown();
    await page.goBack();
    const backTwice = await shown();
    await page.evaluate(() => document.querySelector<HTMLElement>('.skip')?.click());
    await page.goBack();
    const skipped = await shown();
    await page.goBack();
    await page.waitForSelector('.welcome');
    const box = await page.inputValue('#query');
    const free = calls();
    await page.goForward();
    const forward = await shown();
    // Left before its answer arrived: nothing of it can be kept.
    const pressed = Promise.withResolvers<void>();
    const held = `**/v1/products/*?${LOOKUP}*`;
    await page.route(held, async (route) => {
      await pressed.promise;
      await route.continue().catch(() => undefined);
    });
    await look(page, codes[3] ?? '');
    await page.waitForSelector('.card[aria-busy]');
    await look(page, known);
    pressed.resolve();
    await page.waitForSelector('.card:not([aria-busy]) h1', { timeout: 60_000 });
    await page.unroute(held);
    calls();
    await page.goBack();
    await page.waitForSelector('.card:not([aria-busy]) h1', { timeout: 60_000 });
    const anew = asked.filter((url) => url.includes(LOOKUP)).length;
    const same = (one: object, two: object) => JSON.stringify(one) === JSON.stringify(two);
    const found = [
      ...unless(first.title !== other.title, `both cards are of ${first.title}`),
      ...unless(table === '3 products', `the table is headed “${table}”`),
      ...unless(same(backOnce, other), `Back shows ${JSON.stringify(backOnce)}`),
      ...unless(same(backTwice, first), `Back twice shows ${JSON.stringify(backTwice)}`),
      ...unless(same(skipped, first), `Back from the skip link shows ${JSON.stringify(skipped)}`),
      ...unless(box === '', `at first the box contains “${box}”`),
      ...unless(free === 0, `${free} calls were made for going back`),
      ...unless(same(forward, first), `Forward shows ${JSON.stringify(forward)}`),
      ...unless(anew > 0, 'a lookup that was left too early was not sent again'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const NEXT_PERSON: Check = {
  name: 'after signing out, Back shows the next user none of the earlier lookups, and sends no call',
  run: async (parts) => {
    const { known, codes, service } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, known);
    await cardOf(page, codes[1] ?? '');
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form:not([hidden])');
    await page.goBack();
    await page.fill('#key', await service.newKey({ organization: 'next', note: null }));
    let calls = 0;
    page.on('request', (request) => (calls += request.url().includes('/v1/products') ? 1 : 0));
    await page.press('#key', 'Enter');
    await page.waitForSelector('.welcome');
    await page.goBack().catch(() => null);
    await page.waitForSelector('.welcome');
    const box = await page.inputValue('#query');
    const found = [
      ...unless(box === '', `the box has “${box}”`),
      ...unless(!page.url().includes('q='), `the address is ${page.url()}`),
      ...unless(calls === 0, `${calls} calls for products`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const BACK_CHECKS: readonly Check[] = [BACK, NEXT_PERSON];
