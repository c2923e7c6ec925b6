// The known name nearest to a mistyped one, for errors that suggest the right one.

/** The edit distance. Beyond `limit` it is given up (Infinity). */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}

/** The nearest name; null if none is near, because a wild guess would mislead more than silence. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.slice(0, 64).toLowerCase();
  const contained = known.find((each) => wanted.length >= 4 && each.toLowerCase().includes(wanted));
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const ranked = known
    .map((each) => ({ each, distance: distance(wanted, each.toLowerCase(), limit) }))
    .filter((entry) => entry.distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.each ?? contained ?? null;
}
