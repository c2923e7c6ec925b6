// "Estimated between Tue, Dec 2 and Sat, Dec 6" -> the first day, as a date. Pages leave the year out: it is
// the one that puts the day nearest after the moment of the page.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s(\d{1,2})(?!\d|:)(?:,?\s(\d{4}))?/i;
/** A page of some weeks ago still names days of its own time. */
const BACK_MS = 60 * 86_400_000;

function dateOf(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month, day));
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date : null;
}

/** YYYY-MM-DD of the first day that a text names; `nowMs` is when the page was fetched. */
export function deliveryDay(text: string | null, nowMs: number): string | null {
  const match = text === null ? null : DAY.exec(text.slice(0, 300));
  if (match === null || !(nowMs >= 0 && nowMs < 4_102_444_800_000)) return null;
  const month = MONTHS.indexOf((match[1] ?? '').toLowerCase());
  const day = Number(match[2]);
  const year = new Date(nowMs).getUTCFullYear();
  const stated = match[3] === undefined ? null : dateOf(Number(match[3]), month, day);
  const years = stated === null ? [year - 1, year, year + 1] : [];
  const near = years
    .map((each) => dateOf(each, month, day))
    .find((date) => date !== null && date.getTime() >= nowMs - BACK_MS);
  return (stated ?? near)?.toISOString().slice(0, 10) ?? null;
}
