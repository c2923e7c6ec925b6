// Dangerous goods, from the words that declare them (vocabularies 4): regulations that a supplier names,
// UN numbers, what schema.org calls them. A strong sign is true, a plain negative false, silence null:
// words of a title ("spray", "battery") are no declaration.

/** What a supplier declares: which rules the goods fall under. `unknown` is what nobody filled in. */
const REGULATIONS: ReadonlyMap<string, boolean> = new Map([
  ['ghs', true],
  ['storage', true],
  ['transportation', true],
  ['waste', true],
  ['other', true],
  ['not_applicable', false],
]);

/**
 * Of all regulations that are declared: true when one holds, false when none applies, null when no word
 * is known.
 */
export function declaredHazmat(words: readonly string[]): boolean | null {
  const known = words
    .map((word) =>
      REGULATIONS.get(
        word
          .trim()
          .toLowerCase()
          .replaceAll(/[\s-]+/g, '_'),
      ),
    )
    .filter((value) => value !== undefined);
  if (known.length === 0) return null;
  return known.includes(true);
}

/**
 * Lithium cells, aerosols, paint, perfume, flammable and corrosive liquids, gases, cartridges, what is
 * bad for water (vocabularies 4.1).
 */
const UN_NUMBER =
  /\bUN[ -]?(?:0012|0014|1013|1075|1263|1266|1791|1950|1993|2037|3082|3090|3091|3480|3481)\b/i;

/** Whether a text names the UN number of dangerous goods that shops sell. */
export function namesUnNumber(text: string): boolean {
  return UN_NUMBER.test(text);
}

const FIELD = /^(?:is )?(?:hazmat|hazardous(?: materials?| goods)?|dangerous goods?)$/;

/** A field that asks the question itself ("Hazardous Material: No"); null: another field or answer. */
export function hazmatField(name: string, value: string): boolean | null {
  const field = name
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
  if (!FIELD.test(field)) return null;
  const answer = value.slice(0, 20).trim().toLowerCase();
  if (/^(?:yes|true|y)$/.test(answer)) return true;
  return /^(?:no|false|n|none|not applicable)$/.test(answer) ? false : null;
}

/** `hasAdultConsideration` of schema.org: `DangerousGoodConsideration` in any of its spellings. */
export function isDangerousGood(word: string): boolean {
  return /(?:^|[/#:])DangerousGoodConsideration\/?$/i.test(word.slice(0, 200).trim());
}
