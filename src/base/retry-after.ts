// Parses both forms of `Retry-After` (RFC 9110 10.2.3). Pure.

const MAX_SECONDS = 86_400;

/**
 * Returns the seconds to wait from `nowMs`, at most a day: a wrong date must not block a shop for years. Null if the value
 * is in neither form.
 */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_SECONDS);
  // Only the three HTTP date forms begin with a weekday; Date.parse alone would accept anything.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  // All three are GMT, but asctime does not say so and would be read as local time.
  const hasZone = /(?:[A-Za-z]|[+-]\d{4})$/.test(text);
  const atMs = Date.parse(hasZone ? text : `${text} GMT`);
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, Math.ceil((atMs - nowMs) / 1_000)), MAX_SECONDS);
}
