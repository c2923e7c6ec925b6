// Titles and headings of walls and error pages, in the languages of the shops seen so far. Only for pages without a
// product: "404" may be the name of a shoe.

import { compile, oneOf } from '../../base/listing/words/all-languages.ts';

/** Titles of pages shown in place of the shop: checks, waiting rooms, refusals, a country selection. */
const WALL_NAME = new RegExp(
  '^(?:access (?:to this page has been )?denied|attention required|just a moment|robot or human|' +
    'pardon our interruption|are you (?:a )?(?:human|robot)|security (?:check|measure)|' +
    'verify (?:you(?:r identity| are)|that you)|human verification|checking your browser|' +
    'bot (?:verification|detection)|please verify|request (?:blocked|rejected)|(?:403 )?forbidden|' +
    'ddos-guard|one more step|you have been blocked|blocked$|captcha|(?:unusual|suspicious) (?:traffic|activity)|robot check|' +
    'sorry, you have been blocked|making sure you|error 1020|bitte bestätigen|un instant|' +
    'before we continue|(?:[^:]{1,40}: )?select your (?:country|region)|choose (?:a|your) (?:country|region)|vercel security checkpoint|client challenge|queue-it|you are (?:now )?in line|' +
    'sucuri website firewall|access to .{1,60} was denied|confirm (?:that )?you are (?:a )?human|' +
    'vous êtes un robot|êtes-vous un robot|sind sie ein (?:mensch|roboter)|eres un robot|вы не робот)',
  'iu',
);

/**
 * Words about the visitor in the title or text of a wall: a robot, a human, a check, a refusal, a queue. They are ordinary
 * words, so they only count on pages with almost no other content.
 */
const WALL_WORDS = compile(
  'wall',
  (words) => `${words}|(?<!\\p{L})${oneOf('visitor')}\\p{L}{0,3}(?!\\p{L})|${oneOf('queue')}`,
);
/** Words in the title of a waiting room, which may have metadata and a longer text. They are names of goods, too. */
const QUEUE_NAME = compile('queue');

/** Longer texts are article headlines, not errors. */
const NAME_LENGTH = 120;

/** Word stems for pages and products, without diacritics. */
const PAGE_OR_PRODUCT = oneOf('pageOrProduct');
/** Words for "gone" in scripts without spaces, or in a different word order. */
const GONE_UNSPACED = new RegExp(oneOf('goneUnspaced'), 'u');
/** The error number alone or with words for an error; not "Route 404 Boots". */
const NUMBER = new RegExp(
  '^404$|\\b(?:error|erreur|fehler|errore|erro|chyba|blad)\\s?(?:404|410)\\b|' +
    '\\b404 (?:error|not found|page|oops|sorry|seite|pagina)',
  'u',
);

const GONE = new RegExp(
  `(?:^| )${PAGE_OR_PRODUCT}\\p{L}{0,4} (?:.{1,45} )?${oneOf('goneAfter')}(?: |$)|` +
    `(?:^| )${oneOf('goneBefore')} (?:.{1,30} )?${PAGE_OR_PRODUCT}|^(?:not found|nothing (?:was )?found)`,
  'u',
);

/** Words that limit "unavailable" to the present or to this visitor. Such a page says nothing about the product. */
const FOR_NOW = new RegExp(`(?:^| )${oneOf('forNow')}(?: |$)`, 'u');

/** Sentences saying that a shop is closed for maintenance, in folded letters. Such a page replaces every other. */
const CLOSED_FOR_NOW = new RegExp(
  `(?:^| )${oneOf('closedForNow')}(?: |$)|メンテナンス中|维护中|維護中|점검 ?중`,
  'u',
);

function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll(/[øœ]/g, 'o')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether a title or heading belongs to a wall. */
export function isWallName(name: string): boolean {
  return WALL_NAME.test(name.trim());
}

/** Whether a page's short text is about a check, a refusal or a queue. */
export function saysWall(text: string): boolean {
  // Case-insensitive patterns do not match the Turkish capital: "İnsan".
  return WALL_WORDS.test(text.replaceAll('İ', 'I'));
}

/** Whether the title or heading of a small page says that its visitor is in a queue. */
export function isQueueName(name: string): boolean {
  return name.length <= NAME_LENGTH && QUEUE_NAME.test(name);
}

/** Returns the name and its parts, folded for comparison. */
function partsOf(name: string): readonly string[] {
  return name.length > NAME_LENGTH ? [] : [name, ...name.split(/\s+[|–—·:-]\s+/)].map(fold);
}

/** Whether a title or heading limits its statement to the present or to this visitor. */
export function isForNow(name: string): boolean {
  return FOR_NOW.test(fold(name.slice(0, NAME_LENGTH)));
}

/** Whether a title or heading, or one part of it, says that the page or product is gone. */
export function isNotFoundName(name: string): boolean {
  if (name.length <= NAME_LENGTH && GONE_UNSPACED.test(name)) return true;
  const parts = partsOf(name);
  return parts.some((part) => NUMBER.test(part)) || (parts.some(saysGone) && !isForNow(name));
}

/** Whether a title or heading says that the page or product is currently unavailable, or unavailable to this visitor. */
export function isAwayName(name: string): boolean {
  const parts = partsOf(name);
  return (
    parts.some((part) => CLOSED_FOR_NOW.test(part)) || (parts.some(saysGone) && isForNow(name))
  );
}

function saysGone(part: string): boolean {
  return GONE.test(part);
}
