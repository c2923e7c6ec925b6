// A person's actions on the console, as steps that checks are made of.

import type { Browser, Page } from 'playwright-core';

import { axeFindings, openWatched, VIEWS, type View, type Watched } from './browser.ts';
import type { Stage } from './stage.ts';

export type CheckParts = {
  readonly stage: Stage;
  readonly browser: Browser;
  /** Takes a screenshot of the page; does nothing unless screenshots are requested. */
  readonly shot: (page: Page, name: string) => Promise<void>;
};

export type Check = {
  readonly name: string;
  /** It has a time limit: nothing else runs at the same time. */
  readonly isTimed?: boolean;
  readonly run: (parts: CheckParts) => Promise<readonly string[]>;
};

export const DESK: View = { width: 1440, scheme: 'light' };

export async function signedIn(
  { stage, browser }: CheckParts,
  view: View = DESK,
  isAdmin = false,
): Promise<Watched> {
  const watched = await openWatched(browser, view, stage.service.url);
  await watched.page.goto(await stage.address(isAdmin));
  await watched.page.waitForSelector('#query');
  return watched;
}

export async function look(page: Page, text: string): Promise<void> {
  await page.fill('#query', text);
  await page.press('#query', 'Enter');
}

export async function cardOf(page: Page, text: string): Promise<void> {
  await look(page, text);
  await page.waitForSelector('.card:not([aria-busy]) h1', { timeout: 60_000 });
  await page.waitForSelector('.chart-section :is(.legend-item, p):visible');
}

export const textOf = (page: Page, selector: string) =>
  page.locator(selector).first().innerText({ timeout: 10_000 });

/** Returns the sentence unless the condition is true. */
export const unless = (isSo: boolean, sentence: string): readonly string[] =>
  isSo ? [] : [sentence];

/** Checks a page at both widths in both schemes: no complaints, no serious axe finding. */
export function everyView(
  name: string,
  act: (parts: CheckParts, watched: Watched) => Promise<void>,
  isAdmin = false,
): Check {
  return {
    name: `${name}: at 390 and 1,440 px, light and dark, nothing wider than the window, no finding of axe`,
    run: async (parts) => {
      const found: string[] = [];
      for (const view of VIEWS) {
        const watched = await signedIn(parts, view, isAdmin);
        await act(parts, watched);
        await parts.shot(watched.page, `${name}-${view.width}-${view.scheme}`);
        const complaints = [...(await watched.complaints()), ...(await axeFindings(watched.page))];
        found.push(...complaints.map((each) => `${view.width} px, ${view.scheme}: ${each}`));
        await watched.close();
      }
      return found;
    },
  };
}
