// Words in a retailer's answer that are in no vocabulary. They are counted and shown to the operator, and never given a
// guessed meaning (D23). A vocabulary returns the words that it did not recognize, and the reader notes them for the
// answer.

/** The kinds of words that are mapped to a canonical list. */
const VOCABULARIES = ['availability', 'condition', 'hazmat'] as const;
export type VocabularyName = (typeof VOCABULARIES)[number];

export type UnknownWord = {
  readonly vocabulary: VocabularyName;
  /** At most 40 characters: letters, digits and plain marks only, safe on a terminal and in a log. */
  readonly word: string;
};

/** A vocabulary's interpretation of a text. */
export type Understood<T> = {
  /** Null if the text has no word that is in the vocabulary, or only words that leave the meaning open. */
  readonly meaning: T | null;
  readonly unknown: readonly UnknownWord[];
};

/** How many answers of a kind contained words that are not in a vocabulary. */
export type UnknownWordTotal = {
  readonly retailer: string;
  readonly pageKind: string;
  readonly vocabulary: VocabularyName;
  /** The number of answers, each counted once regardless of how many such words it has. */
  readonly answers: number;
  /** The most recent of the unknown words. */
  readonly word: string;
};

const MAX_WORD = 40;
/** The most words noted per answer: a page with more contains prose, not listed words. */
const MAX_WORDS = 10;

/** The unknown words of one answer. Created where reading the answer begins, and passed down to where words are read. */
export class UnknownWords {
  readonly #words = new Map<string, UnknownWord>();

  /** Returns the meaning that a vocabulary read and records the word that it did not recognize: each once, at most ten. */
  note<T>({ meaning, unknown }: Understood<T>): T | null {
    for (const each of unknown) {
      if (this.#words.size < MAX_WORDS) this.#words.set(`${each.vocabulary} ${each.word}`, each);
    }
    return meaning;
  }

  /** Returns the recorded words, in order. */
  list(): readonly UnknownWord[] {
    return [...this.#words.values()];
  }
}

const NOTHING_UNKNOWN: readonly UnknownWord[] = [];

/** Creates the result for a text without unknown words: it has this meaning, or none. */
export function understood<T>(meaning: T | null): Understood<T> {
  return { meaning, unknown: NOTHING_UNKNOWN };
}

/** Creates the result for a text that is not in the vocabulary. It still has a meaning if it belongs to a known family. */
export function notUnderstood<T>(
  vocabulary: VocabularyName,
  text: string,
  meaning: T | null = null,
): Understood<T> {
  const word = shown(text);
  return { meaning, unknown: word === '' ? NOTHING_UNKNOWN : [{ vocabulary, word }] };
}

/**
 * Returns the first meaning among several spellings of one statement. A word is unknown only if none has a meaning, and
 * then only the first is.
 */
export function firstUnderstood<T>(
  texts: readonly string[],
  read: (text: string) => Understood<T>,
): Understood<T> {
  const unknown: UnknownWord[] = [];
  for (const text of texts) {
    const found = read(text);
    if (found.meaning !== null) return understood(found.meaning);
    unknown.push(...found.unknown);
  }
  return { meaning: null, unknown: unknown.slice(0, 1) };
}

function shown(text: string): string {
  const plain = text
    .slice(0, 400)
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N} _.,:;/#()&'+-]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return plain.length <= MAX_WORD ? plain : `${plain.slice(0, MAX_WORD - 3).trimEnd()}...`;
}
