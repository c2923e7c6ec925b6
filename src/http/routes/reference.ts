// GET /docs: the OpenAPI document as a page for people (D14). Free, without a key. The page runs no script and loads only its
// style sheet; its Content-Security-Policy enforces both.

import type { Api } from '../context.ts';
import type { openApiDocument } from '../document.ts';
import { preparedText } from '../prepared-text.ts';
import { referencePage } from '../reference/page.ts';
import { style } from '../reference/style.ts';

const STYLE_PATH = '/docs/style.css';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
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

/** The page is made at the first request and kept: the document does not change while the process runs. */
export function addReferenceRoutes(
  api: Api,
  document: () => ReturnType<typeof openApiDocument>,
): void {
  const page = preparedText(() => referencePage(document(), STYLE_PATH));
  api.get('/docs', (c) => page(c, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' }));
  const sheet = preparedText(() => style);
  api.get(STYLE_PATH, (c) =>
    sheet(c, { 'Cache-Control': 'no-cache', 'Content-Type': 'text/css; charset=utf-8' }),
  );
}
