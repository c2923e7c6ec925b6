// Watches against the service itself: created from a card, read, notified, changed, paused, removed.

import type { Page } from 'playwright-core';

import { cardOf, look, signedIn, textOf, unless, type Check } from './acts.ts';
import { HOSTILE } from './stage.ts';

/** Waits until a watch has read something and shows its sparkline. */
async function readWatch(page: Page): Promise<void> {
  await page.waitForSelector('.watch .watch-line img', { timeout: 30_000 });
  await page.waitForFunction(
    () => {
      const image = document.querySelector<HTMLImageElement>('.watch .watch-line img');
      return image !== null && image.complete && image.naturalWidth > 0;
    },
    null,
    { timeout: 10_000 },
  );
}

/** Removes every watch of the organization, so that each check begins with none. */
export async function removeWatches(parts: Parameters<Check['run']>[0]): Promise<void> {
  const { service } = parts.stage;
  const { body } = await service.get('/v1/watches');
  for (const { id } of body['watches'] as { id: string }[]) {
    await fetch(`${service.url}/v1/watches/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${service.key}` },
    });
  }
}

/** Creates watches of each kind, to view a page of them. */
export async function someWatches(parts: Parameters<Check['run']>[0]): Promise<void> {
  const { service, codes, known } = parts.stage;
  await removeWatches(parts);
  const bodies = [
    { addresses: [`${HOSTILE}/none`], failing_after: 1 },
    { addresses: [`${HOSTILE}/script`], any_change: true },
    { identifier: codes[3], retailer: 'any', down_percent: 10, back_in_stock: true },
    { identifier: known, retailer: 'best', below: 19.99, new_low: 30 },
  ];
  for (const body of bodies) {
    await fetch(`${service.url}/v1/watches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
  await service.app.checkWatches();
  await service.untilQueueIdle();
}

const WATCH: Check = {
  name: 'a watch created from a card reads at once, shows its threshold, and notifies that the price is below its target',
  run: async (parts) => {
    await removeWatches(parts);
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, parts.stage.known);
    const price = Number((await textOf(page, '.price')).replace(/[$,]/g, ''));
    await page.click('a.button:has-text("Watch")');
    await page.waitForSelector('text=Nothing is watched yet');
    const codes = await page.inputValue('#watch-codes');
    await page.fill('#watch-below', (price + 1).toFixed(2));
    await page.click('form button:has-text("Watch")');
    await page.waitForSelector('text=1 watch created');
    await readWatch(page);
    await page.waitForSelector('.notice[data-kind="fired"]', { timeout: 20_000 });
    const card = await textOf(page, '.watch');
    await parts.shot(page, 'watch-told');
    const [watch] = (await parts.stage.service.get('/v1/watches')).body['watches'] as Watch[];
    const usd = (value: number | null | undefined) => `$${(value ?? 0).toFixed(2)}`;
    const found = [
      ...unless(codes === parts.stage.known, `sent along was “${codes}”`),
      ...unless(!page.url().includes('#'), 'the parameters sent along are still in the address'),
      ...unless(watch?.below === price + 1, `its target is ${watch?.below}`),
      ...unless(
        card.includes(usd(watch?.listings[0]?.price)) && card.includes(`target ${usd(price + 1)}`),
        `the card says “${card}”`,
      ),
      ...unless(/Active/.test(card) && /next check in/.test(card), 'neither state nor next check'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

type Watch = {
  readonly below: number | null;
  readonly state: string;
  readonly listings: readonly { readonly price: number | null }[];
};

const CHANGES: Check = {
  name: 'a watch is changed, tested, paused, resumed and removed; a page that cannot be read shows the reason',
  run: async (parts) => {
    await removeWatches(parts);
    const { service } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    const only = async () => {
      const { body } = await service.get('/v1/watches');
      return (body['watches'] as Watch[])[0];
    };
    await page.goto(`${service.url}/console/watches#add=${parts.stage.known}`);
    await page.fill('#watch-below', '1,50');
    await page.click('form button:has-text("Watch")');
    await readWatch(page);
    const made = await only();
    await page.click('text=Change its conditions');
    await page.locator('.watch [id$="-below"]').fill('2.25');
    await page.click('.watch button:has-text("Save")');
    await page.waitForSelector('text=Its conditions are updated');
    const changed = await only();
    await page.click('.watch button:has-text("Send a test")');
    await page.waitForSelector('.notice[data-kind="test"]');
    await page.click('.watch button:has-text("Pause")');
    await page.waitForSelector('text=is paused');
    const paused = await only();
    await page.click('.watch button:has-text("Resume")');
    await page.waitForSelector('text=is checked again');
    await page.click('.watch button:has-text("Remove")');
    await page.click('.watch button:has-text("Really remove?")');
    await page.waitForSelector('text=is no longer watched');
    await page.waitForSelector('text=Nothing is watched yet');
    const found = [
      ...unless(made?.below === 1.5, `“1,50” became ${made?.below}`),
      ...unless(changed?.below === 2.25, `changed it is ${changed?.below}`),
      ...unless(paused?.state === 'paused', `paused it is ${paused?.state}`),
      ...unless((await only()) === undefined, 'it is still there'),
    ];
    await page.fill('#watch-codes', `nonsense\n${HOSTILE}/none`);
    await page.click('form button:has-text("Watch")');
    await page.waitForSelector('text=1 of 2 are watched');
    const left = await page.inputValue('#watch-codes');
    await page.waitForSelector('.watch-reason', { timeout: 30_000 });
    const reason = await textOf(page, '.watch-reason');
    found.push(
      ...unless(left === 'nonsense', `what was refused is “${left}”`),
      ...unless(reason.length > 40, `it reads “${reason}”`),
      ...(await watched.complaints()),
    );
    await parts.shot(page, 'watch-failing');
    await watched.close();
    await removeWatches(parts);
    return found;
  },
};

const KEYS: Check = {
  name: 'a watch requested with Enter twice is created once; paused with the keyboard, the focus stays on its button, in every card',
  run: async (parts) => {
    await removeWatches(parts);
    const { service, codes, known } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.goto(`${service.url}/console/watches#add=${known}%0A${codes[3]}`);
    await page.fill('#watch-below', '1');
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('.watch-form form');
      form?.requestSubmit();
      form?.requestSubmit();
    });
    await page.waitForSelector('text=2 watches created');
    await page.waitForFunction(() => document.querySelectorAll('.watch img').length === 2);
    const made = ((await service.get('/v1/watches')).body['watches'] as Watch[]).length;
    const found = [...unless(made === 2, `${made} watches were made`)];
    const focused = () =>
      page.evaluate(() => {
        const card = document.activeElement?.closest('[data-watch]');
        return `${document.activeElement?.textContent} ${card?.getAttribute('data-watch')}`;
      });
    for (const id of await page
      .locator('.watch')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-watch') ?? ''))) {
      const pause = page.locator(`[data-watch="${id}"] button:has-text("Pause")`);
      await pause.press('Enter');
      await page.waitForSelector(`[data-watch="${id}"] button:has-text("Resume")`);
      found.push(
        ...unless((await focused()) === `Resume ${id}`, `the focus is at ${await focused()}`),
      );
    }
    found.push(...(await watched.complaints()));
    await watched.close();
    await removeWatches(parts);
    return found;
  },
};

const MANY: Check = {
  name: 'of 300 lines 200 are filled in for watching, and the page says how many are left and why',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await look(page, Array.from({ length: 300 }, (_, at) => `B0${10_000_000 + at}`).join('\n'));
    await page.click('a.button:has-text("Watch")');
    await page.waitForSelector('#watch-codes');
    const lines = (await page.inputValue('#watch-codes')).split('\n').length;
    const words = await textOf(page, '#watch-left-out');
    await parts.shot(page, 'watch-left-out');
    const found = [
      ...unless(lines === 200, `${lines} lines are filled in`),
      ...unless(/first 200 products of 300.*other 100/.test(words), `it says “${words}”`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const PASTE: Check = {
  name: 'five things with five targets are watched by one paste, pasted again nothing is created, a look is said, and the page turns by itself',
  run: async (parts) => {
    await removeWatches(parts);
    const { service, codes } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.goto(`${service.url}/console/watches`);
    const lines = codes.slice(0, 5).map((code, at) => `${code}, ${at + 1}.50`);
    const paste = async (text: string) => {
      await page.fill('#watch-codes', text);
      await page.fill('#watch-tags', 'kitchen');
      await page.click('form button:has-text("Watch")');
    };
    await paste(lines.join('\n'));
    await page.waitForSelector('text=5 watches created');
    const made = (await service.get('/v1/watches')).body['watches'] as Watch[];
    await page.click('summary:has-text("New watch")');
    await paste(lines.join('\n'));
    await page.waitForSelector('text=5 lines asked for what you already watch');
    const again = (await service.get('/v1/watches')).body['watches'] as Watch[];
    await page.click('summary:has-text("New watch")');
    const together = page.locator('#watch-together');
    await page.fill('#watch-codes', `${HOSTILE}/none, 5\n${HOSTILE}/script, 5`);
    const isOffered = await together.isVisible();
    await page.fill('#watch-codes', `${HOSTILE}/none, 5\n${HOSTILE}/script, 6`);
    const isHidden = !(await together.isVisible());
    await parts.shot(page, 'watch-paste');
    await page.fill('#watch-codes', `${HOSTILE}/none, 5\n${HOSTILE}/script, 5`);
    await together.check();
    await page.click('form button:has-text("Watch")');
    await page.waitForSelector('text=1 watch created');
    await readWatch(page);
    const one = page.locator('.watch', { has: page.locator('.watch-line img') }).first();
    const looked = page.waitForResponse((answer) => answer.url().endsWith('/look'));
    await one.locator('button:has-text("Look now")').click();
    const status = (await looked).status();
    await one.locator('button:has-text("Look now")').click();
    await page.waitForSelector('text=/once in five minutes.*Again in 5 minutes/');
    await parts.shot(page, 'watch-looked');
    const told = (await service.get('/v1/watches')).body['watches'] as Watch[];
    await fetch(`${service.url}/v1/watches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: codes[6], tags: ['from elsewhere'] }),
    });
    // A stream of changes ends after 24 s at the latest.
    await page.waitForSelector('.tags a:has-text("from elsewhere")', { timeout: 60_000 });
    await page.click('.tags a:has-text("from elsewhere")');
    await page.waitForSelector('.tags a:has-text("all watches")');
    await page.waitForFunction(() => document.querySelectorAll('.watch').length === 1);
    const below = made.map((each) => each.below ?? 0).toSorted((a, b) => a - b);
    const found = [
      ...unless(below.join() === '1.5,2.5,3.5,4.5,5.5', `the targets are ${below.join()}`),
      ...unless(again.length === 5, `pasted again there are ${again.length}`),
      ...unless(isOffered && isHidden, 'pages of one target are not offered as one watch alone'),
      ...unless(status === 200, `a look is answered ${status}`),
      ...unless(told.length === 6, `with the two pages there are ${told.length}`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    await removeWatches(parts);
    return found;
  },
};

export const WATCH_CHECKS: readonly Check[] = [WATCH, CHANGES, KEYS, MANY, PASTE];
