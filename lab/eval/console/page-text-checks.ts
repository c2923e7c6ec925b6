// The text of a product's page: fetched when it is unfolded, with what was taken marked, and the reasons beside it.

import type { Page } from 'playwright-core';

import { cardOf, signedIn, textOf, unless, type Check } from './acts.ts';

const SUMMARY = 'summary:text-is("What was read on the page")';

/** Unfolds the section with the keyboard, and waits for the page's text. */
export async function openPageText(page: Page): Promise<void> {
  await page.focus(SUMMARY);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.page-text');
}

const READ: Check = {
  name: 'the text of the page is fetched once it is unfolded, and shows by keyboard what was taken, what was not and why',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/candidates')) asked.push(request.url());
    });
    await cardOf(page, parts.stage.known);
    const before = asked.length;
    await openPageText(page);
    const text = await textOf(page, '.page-text');
    const taken = await page.locator('.page-text mark.taken').allInnerTexts();
    const price = /\$\d+\.\d\d/.exec(await textOf(page, '.price-line .price'))?.[0] ?? 'no price';
    const focused = await page.evaluate(() => {
      document.querySelector<HTMLElement>('.page-text')?.focus();
      return document.activeElement?.getAttribute('aria-label');
    });
    await page.locator('.page-text').scrollIntoViewIfNeeded();
    await parts.shot(page, 'page-text');
    await page.click(SUMMARY);
    await page.click(SUMMARY);
    await page.waitForSelector('.page-text');
    const found = [
      ...unless(before === 0, 'it was fetched before anybody unfolded it'),
      ...unless(asked.length === 1, `it was fetched ${asked.length} times`),
      ...unless(
        taken.some((each) => each.includes(price)),
        `${price} is not marked as taken, but ${taken.join(', ')}`,
      ),
      ...unless(
        /Price: .*\. *Taken\. It agrees/.test(text),
        `no reason stands beside it: “${text.slice(0, 300)}”`,
      ),
      ...unless(focused === 'Text of the page', 'the text cannot be reached to scroll it'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const REFUSED: Check = {
  name: 'a page that cannot be fetched says why, and unfolding it again repeats the request',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    let isRefused = true;
    await page.route('**/candidates', async (route) => {
      if (!isRefused) return route.continue();
      isRefused = false;
      const detail = 'The shop refuses automated requests for this page.';
      return route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'upstream_unavailable',
          title: 'Refused',
          detail,
          status: 503,
        }),
      });
    });
    await cardOf(page, parts.stage.known);
    await page.click(SUMMARY);
    const said = await textOf(page, '.folded [role="alert"]');
    await page.click(SUMMARY);
    await openPageText(page);
    const found = [
      ...unless(said.includes('refuses automated requests'), `it says “${said}”`),
      ...(await watched.complaints()).filter((each) => !each.includes('503')),
    ];
    await watched.close();
    return found;
  },
};

/** Its name says which item, and nothing in it may become markup. */
const SAVED_PAGE = `<html><head><title>Lamp</title><link rel="canonical" href="https://www.lamps.example/saved-lamp">
<script type="application/ld+json">{"@type":"Product","name":"Saved &lt;b&gt;lamp","offers":{"price":"24.00","priceCurrency":"USD"}}</script></head></html>`;

/** Gives the console a saved page, with the keyboard's focus then on its address. */
export async function openSavedPage(page: Page): Promise<void> {
  const file = { name: 'lamp.html', mimeType: 'text/html', buffer: Buffer.from(SAVED_PAGE) };
  await page.setInputFiles('#sheet-file', file);
  await page.waitForSelector('#page-url');
}

const SAVED: Check = {
  name: 'a saved page is handed in under the address that the person confirms, and can be watched as such',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await openSavedPage(page);
    const address = await page.inputValue('#page-url');
    await page.fill('#page-url', 'https://www.other.example/lamp');
    await page.press('#page-url', 'Enter');
    const refused = await textOf(page, '#sheet [role="alert"]');
    await page.fill('#page-url', address);
    await page.press('#page-url', 'Enter');
    await page.waitForSelector('#sheet table');
    const read = await textOf(page, '#sheet table');
    await parts.shot(page, 'saved-page');
    const add = `add=${encodeURIComponent(address)}&source=handed_in`;
    await page.goto(`${parts.stage.service.url}/console/watches#${add}`);
    await page.click('.watch-form button[type="submit"]');
    await page.waitForSelector('text=1 watch created');
    const found = [
      ...unless(address === 'https://www.lamps.example/saved-lamp', `it proposes “${address}”`),
      ...unless(refused.includes('not a product page'), `it says “${refused}”`),
      ...unless(/price\s+24\s+json-ld/i.test(read), `it shows “${read}”`),
      ...(await watched.complaints()).filter((each) => !each.includes('422')),
    ];
    await watched.close();
    return found;
  },
};

export const PAGE_TEXT_CHECKS: readonly Check[] = [READ, REFUSED, SAVED];
