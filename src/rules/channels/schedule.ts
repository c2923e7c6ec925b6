// When a channel may send: not during its quiet hours, or once a day (a digest). Times are those of a time zone. Pure.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/clock.ts';

/** As callers send it. Times are `HH:MM`. */
export type ChannelSchedule = {
  /** IANA name, such as `Europe/Berlin`. */
  readonly time_zone: string;
  readonly quiet_from?: string | undefined;
  readonly quiet_until?: string | undefined;
  readonly digest_at?: string | undefined;
};

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `2026-03-29 03:00`: the date and time that the clocks of a zone show. */
const WALL = { dateStyle: 'short', timeStyle: 'short' } as const;

/**
 * Returns the instants at which a time is reached, once each day, around `nowMs`. A time that the clocks skip is reached when it
 * would have been without the change; one that they show twice is reached the first time.
 */
function timesAround(zone: string, time: string, nowMs: number): readonly number[] {
  const format = new Intl.DateTimeFormat('sv-SE', { ...WALL, timeZone: zone });
  /** What the clocks show, as if they showed UTC. */
  const shown = (atMs: number) => Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`);
  const today = Math.floor(shown(nowMs) / DAY_MS) * DAY_MS;
  const ofDay = Number(time.slice(0, 2)) * HOUR_MS + Number(time.slice(3)) * MINUTE_MS;
  return [-2, -1, 0, 1, 2].map((day) => {
    const wanted = today + day * DAY_MS + ofDay;
    // A day before and after it, the clocks have not been changed yet, or have been.
    const [first, second] = [wanted - DAY_MS, wanted + DAY_MS].map(
      (near) => wanted - (shown(near) - near),
    ) as [number, number];
    return shown(first) !== wanted && shown(second) === wanted ? second : first;
  });
}

/** Returns the last instant up to `nowMs` and the next one after it. */
function lastAndNext(zone: string, time: string, nowMs: number) {
  const times = timesAround(zone, time, nowMs);
  const lastMs = Math.max(...times.filter((each) => each <= nowMs));
  return { lastMs, nextMs: Math.min(...times.filter((each) => each > nowMs)) };
}

/** Returns when the quiet hours end; null if there are none at `nowMs`. */
export function quietUntilMs(schedule: ChannelSchedule, nowMs: number): number | null {
  const { time_zone: zone, quiet_from: from, quiet_until: until } = schedule;
  if (from === undefined || until === undefined || from === until) return null;
  const end = lastAndNext(zone, until, nowMs);
  return lastAndNext(zone, from, nowMs).lastMs > end.lastMs ? end.nextMs : null;
}

/** Returns the digest's last and next time; null if notices are sent one by one. */
export function digestTimes(
  { time_zone: zone, digest_at: time }: ChannelSchedule,
  nowMs: number,
): { readonly lastMs: number; readonly nextMs: number } | null {
  return time === undefined ? null : lastAndNext(zone, time, nowMs);
}
