// A person's actions on the console, and the conditions that must hold afterwards. Each check returns sentences about what
// failed.

import { issueKey } from '../../../src/data/metering/keys.ts';
import { cardOf, everyView, look, type Check } from './acts.ts';
import { BACK_CHECKS } from './back-checks.ts';
import { CARD_CHECKS } from './card-checks.ts';
import { CHANNEL_CHECKS, someChannels } from './channel-checks.ts';
import { HOSTILE_CHECKS } from './hostile-checks.ts';
import { LOOK_CHECKS } from './look-checks.ts';
import { OFFER_CHECKS } from './offer-checks.ts';
import { openPageText, openSavedPage, PAGE_TEXT_CHECKS } from './page-text-checks.ts';
import { OPERATOR_CHECKS } from './operator-checks.ts';
import { TABLE_CHECKS } from './table-checks.ts';
import { TROUBLE_CHECKS } from './trouble-checks.ts';
import { VIEW_CHECKS } from './view-checks.ts';
import { someWatches, WATCH_CHECKS } from './watch-checks.ts';

export const CHECKS: readonly Check[] = [
  ...LOOK_CHECKS,
  ...CARD_CHECKS,
  ...PAGE_TEXT_CHECKS,
  ...BACK_CHECKS,
  ...TABLE_CHECKS,
  ...TROUBLE_CHECKS,
  ...OFFER_CHECKS,
  ...HOSTILE_CHECKS,
  ...WATCH_CHECKS,
  ...CHANNEL_CHECKS,
  ...OPERATOR_CHECKS,
  ...VIEW_CHECKS,
  everyView('welcome', async (parts, { page }) => {
    await someWatches(parts);
    await page.reload();
    await page.waitForSelector('.watched .watch-price');
  }),
  everyView('card', async ({ stage }, { page }) => {
    await cardOf(page, stage.known);
    await page.waitForSelector('.picture img');
  }),
  everyView('page-text', async ({ stage }, { page }) => {
    await cardOf(page, stage.known);
    await openPageText(page);
  }),
  everyView('table', async ({ stage }, { page }) => {
    await look(page, `${stage.codes.slice(0, 6).join(', 5\n')}\nnonsense`);
    await page.waitForFunction(
      () =>
        document.querySelectorAll('tr[data-state="done"], tr[data-state="failed"]').length === 7,
      null,
      { timeout: 60_000 },
    );
  }),
  everyView('sheet', async ({ stage }, { page }) => {
    const rows = stage.codes.slice(0, 12).map((code, at) => `${code.replace(/^0+/, '')},${at}.5`);
    await page.setInputFiles('#sheet-file', {
      name: 'the name of a sheet that somebody has exported from somewhere else.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['UPC,Cost', ...rows, 'nonsense,3', '6.14E+11,2'].join('\n')),
    });
    await page.waitForSelector('#sheet details');
    for (const summary of await page.locator('#sheet summary').all()) await summary.click();
  }),
  everyView('saved-page', async (_, { page }) => {
    await openSavedPage(page);
    await page.press('#page-url', 'Enter');
    await page.waitForSelector('#sheet table');
  }),
  everyView('watches', async (parts, { page }) => {
    await someWatches(parts);
    await page.goto(`${parts.stage.service.url}/console/watches`);
    // A watch's notices are read when it scrolls into view.
    await page.locator('.watch').last().scrollIntoViewIfNeeded();
    await page.waitForSelector('.watch:nth-child(4) .notices p');
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForSelector('.watch img');
  }),
  everyView('channels', async (parts, { page }) => {
    await someChannels(parts);
    await page.goto(`${parts.stage.service.url}/console/channels`);
    await page.waitForSelector('.channel:nth-child(3)');
  }),
  everyView('first-steps', async ({ stage }, { page }) => {
    const { accounts } = stage.service.app.store;
    const newcomer = { organization: 'newcomer', note: null };
    const { text } = await issueKey(accounts, newcomer, Date.now());
    await page.click('text=Sign out');
    await page.fill('#key', text);
    await page.click('#key-form button');
    await page.waitForSelector('.first-steps li');
  }),
  everyView('devices', async ({ stage }, { page }) => {
    await page.goto(`${stage.service.url}/console/devices`);
    await page.waitForSelector('#sessions [data-session]');
    await page.fill('#phone-address', 'https://shelf.example');
    await page.click('text=Show a code');
    await page.waitForSelector('svg.qr');
    await page.click('summary');
  }),
  everyView(
    'operator',
    async ({ stage }, { page }) => {
      await page.goto(`${stage.service.url}/console/operator`);
      await page.waitForSelector('[aria-label="List of keys"]');
    },
    true,
  ),
  everyView('signed-out', async (_, { page }) => {
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form');
  }),
];
