// Finds the known name closest to a mistyped one, for errors that suggest the right one. Its cost is bounded, however long
// the mistyped name is: the sender is not charged for it.

/** The number of characters of a name that are compared. */
const COMPARED = 64;

/**
 * Returns the edit distance. It stops with Infinity as soon as no row can stay within `limit`. `row` is a buffer for a table
 * row, one element longer than `b`; it is overwritten from the left.
 */
function distance(
  a: string,
  b: string,
  { limit, row }: { limit: number; row: Uint16Array },
): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let aboveLeft = i - 1;
    let left = i;
    let least = i;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const changed = letter === b.charCodeAt(j - 1) ? aboveLeft : aboveLeft + 1;
      const moved = above < left ? above + 1 : left + 1;
      left = changed < moved ? changed : moved;
      aboveLeft = above;
      row[j] = left;
      if (left < least) least = left;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}

/** Returns the nearest name; null if none is close, because a wild guess would mislead more than silence. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.slice(0, COMPARED).toLowerCase();
  let limit = Math.max(2, Math.floor(wanted.length / 3));
  let nearest: string | null = null;
  // No longer name can be close.
  const row = new Uint16Array(wanted.length + limit + 1);
  for (const each of known) {
    const far = distance(wanted, each.toLowerCase(), { limit, row });
    if (far > limit) continue;
    nearest = each;
    // Only a closer one is better: of equally close names the first is chosen.
    limit = far - 1;
  }
  if (nearest !== null || wanted.length < 4) return nearest;
  return known.find((each) => each.toLowerCase().includes(wanted)) ?? null;
}
