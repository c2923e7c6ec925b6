// The words of a title from which its traits are read: in the singular, with decimals kept whole.

/** Returns the singular, roughly: equal for singular and plural of nearly all English nouns. */
export function singular(word: string): string {
  if (
    word.length < 4 ||
    NO_PLURALS.has(word) ||
    !word.endsWith('s') ||
    word.endsWith('ss') ||
    word.endsWith('us')
  )
    return word;
  if (ENDS_IN_IE.test(word)) return word.slice(0, -1);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

const NO_PLURALS = new Set(['lens', 'gas', 'canvas', 'bias', 'iris', 'series', 'this', 'always']);

const ENDS_IN_IE = /^(?:cook|brown|smooth|hood|bean|mov|calor|pin|gen|vegg|cadd|p|t)ies$/;

const TOKEN = /\d+(?:[.,]\d+)?(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu;

/** Returns the words of `plainText`, at most 80. */
export function wordsIn(plain: string): string[] {
  return (plain.match(TOKEN) ?? []).slice(0, MOST_WORDS);
}

const MOST_WORDS = 80;
