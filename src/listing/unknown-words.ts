// Words of a shop's answer that no vocabulary holds: noted while the answer is read, so that they can be counted and
// shown to the operator. What they might mean is never guessed (D23). Readers are synchronous, one answer at a time:
// a note goes to the reading around it, and without one nowhere.

/** The kinds of words that are mapped to a canonical list. */
export const VOCABULARIES = ['availability', 'condition', 'hazmat'] as const;
export type Vocabulary = (typeof VOCABULARIES)[number];

export type UnknownWord = {
  readonly vocabulary: Vocabulary;
  /** Shortened, and of letters, digits and plain marks only: safe on a terminal and in a log. */
  readonly word: string;
};

/** How often answers of a kind held words of a vocabulary that are not known. */
export type UnknownWordTotal = {
  readonly retailer: string;
  readonly pageKind: string;
  readonly vocabulary: Vocabulary;
  /** Answers, each once however many words. */
  readonly readings: number;
  /** The last of the words. */
  readonly word: string;
};

const LONGEST = 40;
/** Of one answer: more would be no vocabulary but prose. */
const MOST = 10;

let notes: Map<string, UnknownWord> | null = null;

/** The value of a reading, with the unknown words that were noted meanwhile, each once. */
export function withUnknownWords<T>(read: () => T): {
  readonly value: T;
  readonly unknown: readonly UnknownWord[];
} {
  const around = notes;
  const mine = new Map<string, UnknownWord>();
  notes = mine;
  try {
    return { value: read(), unknown: [...mine.values()] };
  } finally {
    notes = around;
  }
}

/** Notes a word that its vocabulary does not hold; nothing where there is no word. */
export function noteUnknown(vocabulary: Vocabulary, text: string): void {
  const word = shown(text);
  if (notes === null || word === '' || notes.size >= MOST) return;
  notes.set(`${vocabulary} ${word}`, { vocabulary, word });
}

/**
 * The first meaning that one of several spellings of the same statement has. Only when none has any is a word noted,
 * and only the first.
 */
export function firstKnown<T>(
  texts: readonly string[],
  read: (text: string) => T | null,
): T | null {
  const { value, unknown } = withUnknownWords(() => {
    for (const text of texts) {
      const meaning = read(text);
      if (meaning !== null) return meaning;
    }
    return null;
  });
  const [first] = unknown;
  if (value === null && first !== undefined) noteUnknown(first.vocabulary, first.word);
  return value;
}

function shown(text: string): string {
  const plain = text
    .slice(0, 400)
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N} _.,:;/#()&'+-]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 3).trimEnd()}...`;
}
