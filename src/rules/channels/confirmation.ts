// The question to the owner of a mail address whether notices may come there, and the code with which the owner agrees. Nothing that
// a caller wrote is in the mail, so that no channel carries a message to a stranger. Pure.

import type { Target } from './channel.ts';
import { asHtml, escaped } from './plain-text.ts';
import type { Mail } from './receiver.ts';

/** Forty bits: at the rate at which calls are allowed, guessing takes thousands of years. */
export const CODE_LETTERS = 8;

type Question = {
  /** The id of this mail: one that is sent again is another mail. */
  readonly id: string;
  readonly code: string;
  /** A page where the owner agrees; null if the installation has no public address. */
  readonly link: string | null;
};

export function confirmationMail(
  { to }: Extract<Target, { kind: 'email' }>,
  { id, code, link }: Question,
): Mail {
  const asked =
    'Somebody wants openshelf, a service that watches prices, to send notifications to this address.';
  const how =
    link === null
      ? 'To allow it, give this code to the person who asked you:'
      : 'To allow it, open this page, or give the code to the person who asked you:';
  const otherwise = 'If you do not know what this is about, do nothing: no notification will come.';
  const text = [asked, how, ...(link === null ? [] : [link]), code, otherwise];
  const linked =
    link === null ? '' : `<p><a href="${escaped(link, asHtml)}">Allow notifications</a></p>`;
  return {
    id,
    to,
    subject: 'May openshelf send you notifications?',
    text: `${text.join('\n\n')}\n`,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>' +
      `<p>${asked}</p><p>${how}</p>${linked}<p><strong>${code}</strong></p><p>${otherwise}</p></body></html>`,
  };
}
