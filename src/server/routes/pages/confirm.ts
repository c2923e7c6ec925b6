// /confirm: the page that the link in a mail opens, where the owner of the address allows notifications. Free, without a key.
// Opening it changes nothing, because mail servers open links too; the button does.

import type { ManageChannels } from '../../../answer/lookup/watches/manage-channels.ts';
import { CONFIRM_PATH } from '../../../answer/lookup/watches/confirm-channel.ts';
import type { Answer } from '../../answer.ts';
import { parametersOf } from '../../asked.ts';
import type { RouteRow } from '../../route.ts';

export type ConfirmRouteParts = { readonly manageChannels: Pick<ManageChannels, 'confirmByLink'> };

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
};

/** The form leads to its own address, and so keeps channel and code. */
const QUESTION = pageOf(
  'May openshelf send notifications to your mail address?',
  '<form method="post"><button>Allow notifications</button></form>' +
    '<p>If you do not want them, close this page: none will come.</p>',
);

const DONE = pageOf(
  'Notifications are allowed.',
  '<p>You can close this page. Whoever made the channel can pause or delete it.</p>',
);

const NOT_VALID = pageOf(
  'This link is not valid, or no longer.',
  '<p>Ask the person who wants to send you notifications to send the request again.</p>',
);

export const CONFIRM_ROWS: readonly RouteRow<ConfirmRouteParts>[] = [
  {
    method: 'get',
    path: CONFIRM_PATH,
    scope: 'no key',
    request: null,
    call: () => () => page(QUESTION),
  },
  {
    method: 'post',
    path: CONFIRM_PATH,
    scope: 'no key',
    request: null,
    takes: 'text',
    call:
      ({ manageChannels }) =>
      async ({ call }) => {
        const { channel = [], code = [] } = parametersOf(call.asked.query);
        const isDone = await manageChannels.confirmByLink(channel.join(), code.join());
        return isDone ? page(DONE) : page(NOT_VALID, 404);
      },
  },
];

function page(body: string, status = 200): Answer {
  return { status, headers: HEADERS, body };
}

function pageOf(heading: string, rest: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>openshelf</title>' +
    '<meta name="viewport" content="width=device-width"></head>' +
    `<body><h1>${heading}</h1>${rest}</body></html>`
  );
}
