// The operator's page: keys, and why a retailer is refused.

import { DESK, signedIn, textOf, unless, type Check } from './console-acts.ts';

const OPERATOR: Check = {
  name: 'the operator makes, rotates and revokes a key; a key without the scope is told so',
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
    await page.click('text=Make a key');
    const key = await textOf(page, '.secret');
    const asks = (text: string) =>
      fetch(`${parts.stage.service.url}/v1/usage`, {
        headers: { authorization: `Bearer ${text}` },
      });
    found.push(...unless((await asks(key)).status === 200, 'the key that was made does not work'));
    const id = key.slice(9, 17);
    await page.click(`button[aria-label="Revoke ${id}"]`);
    await page.click(`button[aria-label="Really revoke ${id}?"]`);
    await page.waitForSelector('text=is refused from now on');
    found.push(
      ...unless((await asks(key)).status === 401, 'the key that was revoked still works'),
      ...(await watched.complaints()),
    );
    await watched.close();
    return found;
  },
};

export const OPERATOR_CHECKS: readonly Check[] = [OPERATOR];
