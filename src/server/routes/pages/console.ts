// The console: pages for people at /console, and their scripts and styles. They are free, need no key, and are the same
// for everyone; a page fetches what it shows with the key of whoever looks at it. `/` leads there.

import type { Api } from '../../context.ts';
import { PAGES, shell, type ShellFacts } from '../../console/shell.ts';
import { preparedText, tagOf } from '../../prepared-text.ts';

/** A script, style or picture of the console. */
export type ConsoleFile = {
  /** The name of the file below `/console/files/{tag}/`. */
  readonly name: string;
  /** Reads the file. Called once for the tag, and once when the file is first asked for. */
  readonly read: () => string;
};

export type ConsoleParts = {
  readonly facts: ShellFacts;
  readonly files: readonly ConsoleFile[];
};

/**
 * Allows only scripts, styles, pictures and calls of this service, and nothing inline. No text becomes markup or a
 * script's address: `trusted-types 'none'` forbids every policy that could make it one.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cache-Control': 'no-cache',
  'Content-Type': 'text/html; charset=utf-8',
};

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A browser that has a file under its tag never asks for it again. Under an older tag it gets the present file. */
const KEPT = 'public, max-age=31536000, immutable';
const ASKED_AGAIN = 'no-cache';

export function addConsoleRoutes(api: Api, { facts, files }: ConsoleParts): void {
  let made: string | null = null;
  const tag = () => (made ??= tagOf(files.map(({ name, read }) => `${name}\n${read()}`)));
  for (const page of PAGES) {
    const text = preparedText(() => shell(page, facts, `/console/files/${tag()}`));
    api.get(page.path, (c) => text(c, PAGE_HEADERS));
    // The address as people type it leads to the page's one address, with the query kept.
    api.get(`${page.path}/`, (c) => c.redirect(page.path + new URL(c.req.url).search, 308));
  }
  for (const { name, read } of files) {
    const text = preparedText(read);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
    api.get(`/console/files/:tag/${name}`, (c) =>
      text(c, {
        'Cache-Control': c.req.param('tag') === tag() ? KEPT : ASKED_AGAIN,
        'Content-Type': type,
        'Cross-Origin-Resource-Policy': 'same-origin',
      }),
    );
  }
  api.get('/', (c) => {
    // A program that asks here has the wrong address: the answer tells it the right ones.
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.notFound();
    c.header('Vary', 'Accept');
    return c.redirect('/console', 302);
  });
}
