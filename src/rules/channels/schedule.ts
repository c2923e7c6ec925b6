// When a channel may send: not during its quiet hours, or once a day (a digest). Times are those of a time zone. Pure.

import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';

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

const DAY_MINUTES = 24 * 60;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function localMinutes(zone: string, atMs: number): number {
  const format = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return minutesOf(new Intl.DateTimeFormat('en-GB', format).format(atMs));
}

/** Returns the instant near `guessMs` at which the clocks of the zone show the time, also when they were changed in between. */
function near(zone: string, time: string, guessMs: number): number {
  const apart = minutesOf(time) - localMinutes(zone, guessMs);
  const nearest = ((apart + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  return Math.floor(guessMs / MINUTE_MS) * MINUTE_MS + nearest * MINUTE_MS;
}

/** Returns the next instant after `nowMs` at which the clocks show the time. */
function nextAt(zone: string, time: string, nowMs: number): number {
  const wait = (minutesOf(time) - localMinutes(zone, nowMs) + DAY_MINUTES) % DAY_MINUTES;
  const next = near(zone, time, nowMs + (wait === 0 ? DAY_MINUTES : wait) * MINUTE_MS);
  return next > nowMs ? next : near(zone, time, next + DAY_MS);
}

/** Returns when the quiet hours end; null if there are none at `nowMs`. */
export function quietUntilMs(schedule: ChannelSchedule, nowMs: number): number | null {
  const { time_zone: zone, quiet_from: from, quiet_until: until } = schedule;
  if (from === undefined || until === undefined || from === until) return null;
  const [now, begin, end] = [localMinutes(zone, nowMs), minutesOf(from), minutesOf(until)];
  const isQuiet = begin < end ? now >= begin && now < end : now >= begin || now < end;
  return isQuiet ? nextAt(zone, until, nowMs) : null;
}

/** Returns the digest's last and next time; null if notices are sent one by one. */
export function digestTimes(
  { time_zone: zone, digest_at: time }: ChannelSchedule,
  nowMs: number,
): { readonly lastMs: number; readonly nextMs: number } | null {
  if (time === undefined) return null;
  const nextMs = nextAt(zone, time, nowMs);
  return { nextMs, lastMs: near(zone, time, nextMs - DAY_MS) };
}
