// The operator's page: keys, and the reasons why a retailer is refused.

import { DESK, look, signedIn, textOf, unless, type Check } from './acts.ts';

const OPERATOR: Check = {
  name: 'the operator creates, rotates and revokes a key; a key without the scope is told so',
  run: async (parts) => {
    const plain = await signedIn(parts);
    await plain.page.goto(`${parts.stage.service.url}/console/operator`);
    await plain.page.waitForSelector('text=openshelf console --admin');
    await parts.shot(plain.page, 'operator-refused');
    const found = [...(await plain.complaints())];
    await plain.close();
    const watched = await signedIn(parts, DESK, true);
    const { page } = watched;
    await page.goto(`${parts.stage.service.url}/console/operator`);
    await page.fill('#key-org', 'acme');
    await page.click('text=Create a key');
    const key = await textOf(page, '.secret');
    const asks = (text: string) =>
      fetch(`${parts.stage.service.url}/v1/usage`, {
        headers: { authorization: `Bearer ${text}` },
      });
    found.push(
      ...unless((await asks(key)).status === 200, 'the key that was created does not work'),
    );
    await page.selectOption('#key-use', 'pages:submit');
    await page.fill('#key-org', 'acme');
    await page.click('text=Create a key');
    const old = page.locator('.secret', { hasText: key });
    await old.waitFor({ state: 'detached' });
    const submits = await textOf(page, '.secret');
    const lookup = await fetch(`${parts.stage.service.url}/v1/products/${parts.stage.known}`, {
      headers: { authorization: `Bearer ${submits}` },
    });
    found.push(...unless(lookup.status === 403, 'a key for pages may look products up'));
    const id = key.slice(9, 17);
    await page.click(`button[aria-label="Revoke ${id}"]`);
    await page.click(`button[aria-label="Really revoke ${id}?"]`);
    await page.waitForSelector('text=is now revoked');
    found.push(
      ...unless((await asks(key)).status === 401, 'the key that was revoked still works'),
      ...(await watched.complaints()),
    );
    await watched.close();
    return found;
  },
};

const BLOCKED: Check = {
  name: 'a retailer that refuses is visible on the card, and the reason and remedy on the page of the operator',
  run: async (parts) => {
    const { service, codes } = parts.stage;
    service.sandbox.disturb('retailer_b', 'blocked');
    const watched = await signedIn(parts, DESK, true);
    const { page } = watched;
    try {
      await look(page, codes[60] ?? '');
      const row = page.locator('.shops tr[data-retailer="retailer_b"]');
      await page.waitForSelector('.shops tr[data-retailer="retailer_b"][data-status="blocked"]', {
        timeout: 60_000,
      });
      const onCard = await row.innerText();
      await row.locator('summary').click();
      await page.goto(`${service.url}/console/operator`);
      const line = page.locator('[aria-label="Retailers"] tr:has-text("retailer_b")');
      await line.waitFor();
      await line.locator('summary').click();
      await line.locator('li', { hasText: 'OPENSHELF_RETAILER_B' }).waitFor();
      const why = await line.innerText();
      await parts.shot(page, 'operator-blocked');
      await page.setViewportSize({ width: 320, height: 900 });
      const cut = await page
        .locator('[aria-label="Retailers"] .scroll')
        .evaluate((box) => box.scrollWidth - box.clientWidth);
      const found = [
        ...unless(/Blocked/.test(onCard), `the card says “${onCard}”`),
        ...unless(/refused/i.test(why), `the operator is told “${why}”`),
        ...unless(/were refusals/.test(why) && /Last failure: /.test(why), `why: “${why}”`),
        ...unless(/OPENSHELF_EGRESS_PROXY/.test(why), 'a proxy is not named'),
        ...unless(cut <= 0, `at 320 px ${cut} px of it are cut`),
        ...(await watched.complaints()),
      ];
      return found;
    } finally {
      service.sandbox.disturb('retailer_b', null);
      await watched.close();
    }
  },
};

export const OPERATOR_CHECKS: readonly Check[] = [OPERATOR, BLOCKED];
