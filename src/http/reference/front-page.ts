// The page at `/`, for a person who opens the address of the service in a browser: what answers here, and where to go on.

import { html } from './markup.ts';

/** `stylePath`: the path of the style sheet. */
export function frontPage(title: string, version: string, stylePath: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <main id="content">
          <h1>${title}</h1>
          <p>
            This is ${title} ${version}, a product lookup service: send it a barcode, an ASIN or the
            address of a product page, and it answers with one record. It is meant for programs;
            there is nothing to click here.
          </p>
          <ul>
            <li><a href="/docs">The reference</a>: every route and field, with examples.</li>
            <li>
              <a href="/openapi.json"><code>/openapi.json</code></a
              >: the same for programs.
            </li>
            <li><a href="/readyz">Is it ready?</a></li>
          </ul>
          <p>
            Calls need an API key. Whoever runs this service makes one with
            <code>openshelf keys create --org NAME</code>. Then:
          </p>
          <pre
            tabindex="0"
          ><code>curl -H "Authorization: Bearer $KEY" "$BASE/v1/products/012345678905"</code></pre>
          <p>with <code>$BASE</code> the address of this page and <code>$KEY</code> the key.</p>
        </main>
      </body>
    </html> `.markup;
}
