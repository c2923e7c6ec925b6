// Words in a retailer's answer that no vocabulary knows. They are counted and shown to the operator, and never given a
// guessed meaning (D23). A vocabulary returns the words that it did not understand, and the reader notes them for the
// answer.

/** The kinds of words that are mapped to a canonical list. */
const VOCABULARIES = ['availability', 'condition', 'hazmat'] as const;
export type VocabularyName = (typeof VOCABULARIES)[number];

export type UnknownWord = {
  readonly vocabulary: VocabularyName;
  /** At most 40 characters: letters, digits and plain marks only, safe on a terminal and in a log. */
  readonly word: string;
};

/** What a vocabulary makes of a text. */
export type Understood<T> = {
  /** Null when the text has no word that the vocabulary knows, or only words that leave the meaning open. */
  readonly meaning: T | null;
  readonly unknown: readonly UnknownWord[];
};

/** How many answers of a kind held words that a vocabulary does not know. */
export type UnknownWordTotal = {
  readonly retailer: string;
  readonly pageKind: string;
  readonly vocabulary: VocabularyName;
  /** The number of answers, each counted once however many words it has. */
  readonly answers: number;
  /** The most recent of the unknown words. */
  readonly word: string;
};

const MAX_WORD = 40;
/** The most words that one answer notes: a page with more states prose, not words of a list. */
const MAX_WORDS = 10;

/**
 * The unknown words of one answer. It is made where the reading of the answer begins, and passed down to where words are read.
 */
export class UnknownWords {
  readonly #words = new Map<string, UnknownWord>();

  /** Returns the meaning of what a vocabulary read, and keeps the word that it did not understand: each once, at most ten. */
  note<T>({ meaning, unknown }: Understood<T>): T | null {
    for (const each of unknown) {
      if (this.#words.size < MAX_WORDS) this.#words.set(`${each.vocabulary} ${each.word}`, each);
    }
    return meaning;
  }

  /** What was noted, in order. */
  list(): readonly UnknownWord[] {
    return [...this.#words.values()];
  }
}

const NOTHING_UNKNOWN: readonly UnknownWord[] = [];

/** A text without unknown words: it has this meaning, or none. */
export function understood<T>(meaning: T | null): Understood<T> {
  return { meaning, unknown: NOTHING_UNKNOWN };
}

/** A text that the vocabulary does not contain. It has a meaning if it belongs to a known family all the same. */
export function notUnderstood<T>(
  vocabulary: VocabularyName,
  text: string,
  meaning: T | null = null,
): Understood<T> {
  const word = shown(text);
  return { meaning, unknown: word === '' ? NOTHING_UNKNOWN : [{ vocabulary, word }] };
}

/**
 * The first meaning among several spellings of one statement. Only when none has a meaning is a word unknown, and only
 * the first.
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
