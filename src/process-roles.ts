// How many processes serve, and what each of them does (D51): the settings for it, read and checked. Pure.

/** `api` answers over HTTP and puts work on the queue; `indexer` works it off and keeps house. */
export const ROLES = ['api', 'indexer'] as const;
export type Role = (typeof ROLES)[number];

export type Processes = {
  /** Processes that share the port. */
  readonly workers: number;
  /** What each of them does. */
  readonly roles: readonly Role[];
};

/** Texts as they were given: undefined or empty where they were not. */
export type ProcessTexts = {
  readonly workers: string | undefined;
  /** Comma-separated. */
  readonly role: string | undefined;
};

const MOST_WORKERS = 256;

/** The settings with what is wrong with them. `isShared`: the store may have several processes. */
export function readProcesses(
  { workers: workersText = '', role = '' }: ProcessTexts,
  isShared: boolean,
): Processes & { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const workers = workersText === '' ? 1 : wholeNumber(workersText);
  if (!(workers >= 1 && workers <= MOST_WORKERS)) {
    const range = `from 1 to ${MOST_WORKERS}`;
    problems.push(
      `OPENSHELF_WORKERS (--workers) must be a whole number ${range}, not "${workersText}"`,
    );
  }
  const named = role.split(',').map((each) => each.trim().toLowerCase());
  const given = role.trim() === '' ? [...ROLES] : named;
  const roles = ROLES.filter((each) => given.includes(each));
  const unknown = given.find((each) => !ROLES.some((known) => known === each));
  if (unknown !== undefined) {
    problems.push(`OPENSHELF_ROLE (--role) takes ${ROLES.join(', ')} or both, not "${unknown}"`);
  }
  if (!isShared && workers > 1) {
    problems.push(
      `OPENSHELF_WORKERS (--workers) is ${workersText}, and the embedded database belongs to one process: ` +
        'set DATABASE_URL to a PostgreSQL, which any number of them can share',
    );
  }
  if (!isShared && unknown === undefined && roles.length < ROLES.length) {
    problems.push(
      `OPENSHELF_ROLE (--role) is ${role.trim()}, and the one process that the embedded database belongs to has ` +
        'to do everything: set DATABASE_URL to a PostgreSQL to divide the work',
    );
  }
  return { workers, roles, problems };
}

function wholeNumber(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}
