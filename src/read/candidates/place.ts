// Where a text stands on a page, in three independent ways, so that it is found again when one of them changes (D85): the path
// of its element, the nearest label, and the texts before and after it. Words are stored as digests: a place tells nobody what
// a page said.

/** A place of an amount, a stock word or a code. */
export type Place = {
  /** The nearest elements with their lasting names. */
  readonly path: string;
  /** The digest of the nearest label; '' without one. */
  readonly label: string;
  /** The digests of the text before that label and of the text after the place; '' at the ends of the page. */
  readonly before: string;
  readonly after: string;
  /** Whether the label announces other goods. */
  readonly isAmongOthers: boolean;
};

type Placed = { readonly place: Place };

/** The signs of a place: each decides whether a sign of one place leads to another. */
const WAYS = {
  path: ({ path }: Place, to: Place) => path === to.path,
  label: ({ label }: Place, to: Place) => label !== '' && label === to.label,
  neighbours: isBetween,
} as const;

type Way = keyof typeof WAYS;

/** Whether any of the signs of a place also leads to another one. */
export function isOnWay(place: Place, to: Place): boolean {
  return Object.values(WAYS).some((lies) => lies(place, to));
}

/**
 * Whether the texts around are the same. The label may change, or go; a text that came in between it and the amount may
 * announce something else.
 */
function isBetween({ label, before, after }: Place, to: Place): boolean {
  if (after !== to.after) return false;
  return [to.label, to.before].includes(label) || (to.before !== '' && before === to.before);
}

/**
 * Returns the texts to which a sign leads. If there are several between the same neighbours, only those with all of these
 * neighbours count, if there are any.
 */
function textsOn<T extends Placed>(way: Way, to: Place, texts: readonly T[]): readonly T[] {
  const on = texts.filter(({ place }) => WAYS[way](place, to));
  if (way !== 'neighbours' || on.length < 2) return on;
  const closest = on.filter(({ place }) => place.label === to.label && place.before === to.before);
  return closest.length > 0 ? closest : on;
}

/** A chosen place: for each way, how many texts of its page lie on it, and which of them was chosen. */
export type ChosenPlace = Place & {
  readonly among: Readonly<Record<Way, { readonly at: number; readonly of: number }>>;
};

/** How many of the three ways lead to a text: all, or two, which is doubtful. */
type Agreement = 'all' | 'two';

/** Returns the place of a text that is chosen among those of its page. */
export function choosePlace<T extends Placed>(chosen: T, texts: readonly T[]): ChosenPlace {
  const ranked = (way: Way): { at: number; of: number } => {
    const on = textsOn(way, chosen.place, texts);
    return { at: on.indexOf(chosen), of: on.length };
  };
  const among = { path: ranked('path'), label: ranked('label'), neighbours: ranked('neighbours') };
  return { ...chosen.place, among };
}

/**
 * Finds the text that a chosen place means among the texts of a page: at least two of the three ways lead to it. A way leads to
 * one text if all texts on it say the same, or, less surely, while as many lie on it as when the place was chosen. Null when
 * fewer than two ways meet, or none of them surely.
 */
export function textAtPlace<T extends Placed>(
  chosen: ChosenPlace,
  texts: readonly T[],
  isSame: (a: T, b: T) => boolean,
): { readonly text: T; readonly agreement: Agreement } | null {
  const eligible = texts.filter(({ place }) => place.isAmongOthers === chosen.isAmongOthers);
  const met = (Object.keys(WAYS) as Way[]).flatMap((way) => {
    const on = textsOn(way, chosen, eligible);
    const { at, of } = chosen.among[way];
    const [first] = on;
    if (first === undefined) return [];
    if (on.every((text) => isSame(text, first))) return [{ text: first, of: 1 }];
    const ranked = on.length === of ? on[at] : undefined;
    return ranked === undefined ? [] : [{ text: ranked, of }];
  });
  for (const { text } of met) {
    const agreeing = met.filter((other) => isSame(other.text, text));
    if (agreeing.length < 2 || agreeing.every(({ of }) => of > 1)) continue;
    return { text, agreement: agreeing.length === 3 ? 'all' : 'two' };
  }
  return null;
}
