// The console: pages for people at /console, and their scripts and styles. They are free, need no key, and are the same for
// everyone; a page fetches its content with the viewer's session. `/` redirects there.

import { FaultError } from '../../../base/fault.ts';
import { once } from '../../../base/once.ts';
import { PAGES, shell, type ShellFacts } from '../../console/shell.ts';
import { redirect, type Answer } from '../../answer.ts';
import type { Call } from '../../call.ts';
import { constantText } from '../../constant-text.ts';
import { tagOf } from '../../encoding.ts';
import { unknownPath, WHERE_TO_READ } from '../../problems/unknown-route.ts';
import type { RouteRow } from '../../route.ts';

/** A script, style or picture of the console. */
export type ConsoleFile = {
  /** The file's name below `/console/files/{tag}/`. */
  readonly name: string;
  /** Reads the file. Called once for the tag, and once when the file is first requested. */
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
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-cache',
  'content-type': 'text/html; charset=utf-8',
};

const FILES = '/console/files/';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A browser that has a file under its tag never requests it again. Under an older tag it gets the current file. */
const KEPT = 'public, max-age=31536000, immutable';
const ASKED_AGAIN = 'no-cache';

/** Returns the rows of the console's pages and files. */
export function consoleRows({ facts, files }: ConsoleParts): readonly RouteRow<object>[] {
  const tag = once(() => tagOf(files.map(({ name, read }) => `${name}\n${read()}`)));
  const open = { method: 'get', scope: 'no key', request: null } as const;
  const pages = PAGES.map((page): RouteRow<object> => {
    const text = constantText(() => shell(page, facts, `${FILES}${tag()}`));
    return {
      ...open,
      path: page.path,
      leadsSlash: true,
      call:
        () =>
        ({ call: { asked } }) =>
          text(asked, PAGE_HEADERS),
    };
  });
  const own = files.map(({ name, read }): RouteRow<object> => {
    const text = constantText(read);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
    return {
      ...open,
      path: `${FILES}{tag}/${name}`,
      call:
        () =>
        ({ call: { asked } }) =>
          text(asked, {
            'cache-control': asked.path.startsWith(`${FILES}${tag()}/`) ? KEPT : ASKED_AGAIN,
            'content-type': type,
            'cross-origin-resource-policy': 'same-origin',
          }),
    };
  });
  return [...pages, ...own, { ...open, path: '/', call: () => leadToConsole }];
}

function leadToConsole({ call: { asked } }: { readonly call: Call }): Answer {
  const isBrowser = (asked.headers.get('accept') ?? '').includes('text/html');
  if (isBrowser) return redirect('/console', 302, { vary: 'Accept' });
  // A program that requests this path has the wrong address: the answer states the right ones.
  throw new FaultError({ code: 'unknown_route', detail: unknownPath(WHERE_TO_READ) });
}
