// The address of a PostgreSQL database, as a setting. What is wrong with one is said without repeating it: there is a
// password in it.

export type DatabaseUrl =
  | { readonly url: string | null; readonly problem: null }
  | { readonly url: null; readonly problem: string };

const SHAPE = 'postgres://user:password@host:5432/database';

/** Empty: none. A problem continues a sentence that begins with the name of the setting. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  if (text === '') return { url: null, problem: null };
  const url = URL.parse(text);
  const isPostgres = url !== null && ['postgres:', 'postgresql:'].includes(url.protocol);
  if (!isPostgres) return { url: null, problem: `must be an address like ${SHAPE}` };
  // Such a character would end the password early, and the rest of it would be taken for a host or database.
  if (
    url.hash !== '' ||
    url.pathname.includes('@') ||
    !isEncoded(`${url.username}${url.password}`)
  ) {
    const problem =
      'holds a character that must be encoded: %23 for #, %2F for /, %3F for ?, %25 for %';
    return { url: null, problem };
  }
  if (url.pathname.length < 2) return { url: null, problem: `names no database: ${SHAPE}` };
  return { url: text, problem: null };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Which database it is, for people and for names: without user and password. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
