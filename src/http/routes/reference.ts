// GET /docs: the OpenAPI document as a page for people (D14). Free, without a key. The page runs no script and loads
// only its style sheet; its Content-Security-Policy enforces both.

import type { Api } from '../context.ts';
import type { openApiDocument } from '../document.ts';
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
  let page: string | null = null;
  api.get('/docs', (c) => {
    page ??= referencePage(document(), STYLE_PATH);
    return c.body(page, 200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' });
  });
  api.get(STYLE_PATH, (c) =>
    c.body(style, 200, {
      'Cache-Control': 'no-cache',
      'Content-Type': 'text/css; charset=utf-8',
    }),
  );
}
