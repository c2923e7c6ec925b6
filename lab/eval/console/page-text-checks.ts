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

export const PAGE_TEXT_CHECKS: readonly Check[] = [READ, REFUSED];
