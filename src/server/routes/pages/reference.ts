// GET /docs: the OpenAPI document as a page for people (D14). It is free and needs no key. The page loads its style
// sheet and one script of ours, which searches in the page; its Content-Security-Policy allows nothing else.

import type { Api } from '../../context.ts';
import type { OpenApiDocument } from '../../openapi.ts';
import { preparedText } from '../../prepared-text.ts';

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

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/** The page is loaded and made at the first request and kept: the document does not change while the process runs. */
export function addReferenceRoutes(api: Api, document: () => Promise<OpenApiDocument>): void {
  const page = preparedText(async () => {
    const { referencePage } = await import('../../reference/page.ts');
    return referencePage(await document(), { stylePath: STYLE_PATH, searchPath: SEARCH_PATH });
  });
  api.get('/docs', (c) => page(c, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' }));
  const script = preparedText(async () => (await import('../../reference/search.ts')).search);
  api.get(SEARCH_PATH, (c) =>
    script(c, { 'Cache-Control': 'no-cache', 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  const sheet = preparedText(async () => (await import('../../reference/style.ts')).style);
  api.get(STYLE_PATH, (c) =>
    sheet(c, { 'Cache-Control': 'no-cache', 'Content-Type': 'text/css; charset=utf-8' }),
  );
}
