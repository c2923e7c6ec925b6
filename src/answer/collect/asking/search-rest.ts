// The rest of a search engine that cannot be used, or has asked for a pause: nothing is sent to it meanwhile, and the operator
// reads which setting to check (D65). Each process has its own.

import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { SearchProvider } from '../../../read/retailers/search/search-providers.ts';
import { withPauseLeft, type FailedFetch } from './failed-fetch.ts';

/** Why the search engine is not used, without its address and key. */
export type SearchProblem = {
  readonly setting: string;
  readonly detail: string;
  readonly pausedSeconds: number;
};

export type SearchRest = {
  /** Returns the failure that began the rest, with the remaining time; null if the engine may be asked. */
  readonly current: () => FailedFetch | null;
  /** Begins a rest as long as the failure says. `why` is for the operator. */
  readonly begin: (failed: FailedFetch, why: string) => void;
  /** Records that the engine has answered. */
  readonly end: () => void;
  readonly problem: () => SearchProblem | null;
};

/** Returns the setting that selects the engine. */
export function settingOfProvider({ kind }: SearchProvider): string {
  return kind === 'searxng' ? 'OPENSHELF_SEARXNG_URL' : 'OPENSHELF_BRAVE_API_KEY';
}

export function createSearchRest(
  provider: SearchProvider | null,
  { steady, log }: { readonly steady: Clock; readonly log: Pick<Log, 'info' | 'warn'> },
): SearchRest {
  const setting = provider === null ? '' : settingOfProvider(provider);
  let last: { readonly failed: FailedFetch; readonly untilMs: number } | null = null;
  const current = (): FailedFetch | null => {
    const leftMs = last === null ? 0 : last.untilMs - steady.now();
    return last === null || leftMs <= 0 ? null : withPauseLeft(last.failed, leftMs);
  };
  return {
    current,
    begin: (failed, why) => {
      // Requests that were sent together fail together.
      if (current() !== null) return;
      const seconds = failed.fault.retryAfterSeconds ?? 0;
      last = { failed, untilMs: steady.now() + seconds * 1_000 };
      log.warn('the search engine is not asked for a while', { setting, why, seconds });
    },
    end: () => {
      if (last !== null) log.info('the search engine answers again', { setting });
      last = null;
    },
    problem: () => {
      const failed = current();
      if (failed === null) return null;
      const { detail, retryAfterSeconds = 0 } = failed.fault;
      return { setting, detail, pausedSeconds: retryAfterSeconds };
    },
  };
}
