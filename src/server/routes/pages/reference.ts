// GET /openapi.json, and /docs: the same as a page for people (D14). Both are free and need no key. The page loads its style
// sheet and one script of ours, which searches in the page; its Content-Security-Policy allows nothing else.

import type { Headers } from '../../answer.ts';
import type { Call } from '../../call.ts';
import { constantText } from '../../constant-text.ts';
import type { Example } from '../../document/examples.ts';
import type { OpenApiDocument } from '../../openapi.ts';
import type { Route, RouteRow } from '../../route.ts';

const STYLE_PATH = '/docs/style.css';
const SEARCH_PATH = '/docs/search.js';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
  'content-type': 'text/html; charset=utf-8',
};
const SCRIPT_HEADERS = {
  'cache-control': 'no-cache',
  'content-type': 'text/javascript; charset=utf-8',
};
const STYLE_HEADERS = { 'cache-control': 'no-cache', 'content-type': 'text/css; charset=utf-8' };

export type ReferenceParts = {
  readonly version: string;
  /** Called when the document is generated. */
  readonly examples: () => readonly Example[];
};

/**
 * Returns the rows of these routes' document and of its page. Both are loaded and generated on the first request and cached:
 * the document does not change while the process runs.
 */
export function referenceRows<Parts>(
  routes: readonly Route<Parts>[],
  { version, examples }: ReferenceParts,
): readonly RouteRow<object>[] {
  let made: OpenApiDocument | null = null;
  const document = async () => {
    const { openApiDocument } = await import('../../openapi.ts');
    return (made ??= openApiDocument(routes, version, examples()));
  };
  const page = async () => {
    const { referencePage } = await import('../../reference/page.ts');
    const files = { stylePath: STYLE_PATH, searchPath: SEARCH_PATH };
    return referencePage(await document(), routes, files);
  };
  const script = async () => (await import('../../reference/search.ts')).search;
  const style = async () => (await import('../../reference/style.ts')).style;
  return [
    textRow('/openapi.json', async () => JSON.stringify(await document()), JSON_HEADERS),
    textRow('/docs', page, PAGE_HEADERS),
    textRow(SEARCH_PATH, script, SCRIPT_HEADERS),
    textRow(STYLE_PATH, style, STYLE_HEADERS),
  ];
}

const JSON_HEADERS = { 'content-type': 'application/json' };

function textRow(path: string, make: () => Promise<string>, headers: Headers): RouteRow<object> {
  const text = constantText(make);
  const call =
    () =>
    ({ call: { asked } }: { readonly call: Call }) =>
      text(asked, headers);
  return { method: 'get', path, scope: 'no key', request: null, call };
}
