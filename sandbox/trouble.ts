// Addresses at every simulated shop that fail on purpose, one for each kind of failure of a shop.

import { htmlAnswer } from './answer.ts';
import type { SimulatedAnswer } from './answer.ts';
import { pageOf } from './markup.ts';
import type { ProductView } from './shops/product-view.ts';
import { addressOf } from './world.ts';
import type { Shop } from './world.ts';

/** Each kind, and the behaviour of its address `<product path>trouble-<kind>`. */
export const TROUBLES = {
  blocked: 'answers 403 with a page that asks for proof of being human',
  throttled: 'answers 429 with Retry-After: 120',
  broken: 'answers 500',
  slow: 'sends the head of the page, then nothing more',
  down: 'closes the connection without an answer',
  missing: 'answers 404',
  gone: 'answers 410',
  moved: 'redirects to the product page',
  disallowed: 'is forbidden to robots by robots.txt',
  foreign_currency: 'states its price in EUR',
  redesigned: 'is a product page without data that a program can read',
  too_large: 'is a page of 20 MB',
  ended: 'says that the product is discontinued',
} as const;

export type TroubleKind = keyof typeof TROUBLES;

const HUGE_BYTES = 20_000_000;

/** Returns the kind of trouble in a handle; null for an ordinary product. */
export function troubleOf(handle: string): TroubleKind | null {
  const name = /^trouble-([a-z_]+)$/.exec(handle)?.[1] ?? '';
  return Object.hasOwn(TROUBLES, name) ? (name as TroubleKind) : null;
}

/** Returns the public address of a kind of trouble at a shop. */
export function troubleAddress(shop: Shop, kind: TroubleKind): string {
  return `${shop.origin}${shop.productPath}trouble-${kind}`;
}

/** Returns the answer at a trouble's address. `view`: an ordinary product; `render`: its page, `.json` or `.js`. */
export function troubledAnswer(
  kind: TroubleKind,
  view: ProductView,
  render: (view: ProductView) => SimulatedAnswer,
): SimulatedAnswer {
  const { shop } = view.product;
  switch (kind) {
    case 'blocked':
      return htmlAnswer(403, wallPage());
    case 'throttled':
      return htmlAnswer(429, '<h1>Too many requests</h1>', { 'retry-after': '120' });
    case 'broken':
      return htmlAnswer(500, '<h1>Something went wrong on our side</h1>');
    case 'slow':
      return { kind: 'stalled', head: '<!doctype html>\n<html lang="en-US">\n<head>\n' };
    case 'down':
      return { kind: 'reset' };
    case 'missing':
      return htmlAnswer(404, pageOf(shop, 'Page not found', { body: '<h1>404</h1>' }));
    case 'gone':
      return htmlAnswer(410, pageOf(shop, 'Gone', { body: '<h1>This page was removed</h1>' }));
    case 'moved':
      return htmlAnswer(301, '', { location: addressOf(view.product) });
    case 'disallowed':
      return render(view);
    case 'foreign_currency':
      return render({ ...view, currency: 'EUR' });
    case 'redesigned':
      return htmlAnswer(200, redesignedPage(shop));
    case 'too_large': {
      const answer = render(view);
      return answer.kind === 'page'
        ? { kind: 'padded', body: answer.body, bytes: HUGE_BYTES }
        : answer;
    }
    case 'ended':
      return render({
        ...view,
        isEnded: true,
        quoteOf: (variant) => ({ ...view.quoteOf(variant), inStock: false }),
      });
  }
}

function wallPage(): string {
  return `<!doctype html><html lang="en"><head><title>Access denied</title></head>
<body><h1>Please verify you are a human</h1>
<p>Our systems have detected unusual traffic from your network. Reference: 0000-sandbox.</p></body></html>
`;
}

/** Returns a page that a script would fill: unless it is run, nothing states a product. */
function redesignedPage(shop: Shop): string {
  return `<!doctype html><html lang="en-US"><head><title>${shop.name.replace('&', '&amp;')}</title></head>
<body><div id="app"></div><script type="module" src="/assets/app.js"></script></body></html>
`;
}
