// Generated robots.txt files with statements about use: every combination of a group, a path, a statement and a trap of
// spelling, each of which says by itself what it changes. So what a file means is known without reading it.

import type { Signals } from '../../src/base/listing/signals.ts';

export const PAGE_PATH = '/products/kettle';
export const LICENSE = 'https://rsl.example/licence.xml';

/** `write` places the lines of a statement; `isOurs`: whether they are said to openshelf. */
const GROUPS = [
  { group: 'everyone', isOurs: true, write: (lines: string) => `User-agent: *\n${lines}` },
  {
    group: 'us by name',
    isOurs: true,
    write: (lines: string) => `User-agent: *\nAllow: /\n\nUser-agent: OpenShelf/1.0\n${lines}`,
  },
  {
    group: 'everyone but us',
    isOurs: false,
    write: (lines: string) => `User-agent: *\n${lines}\nUser-agent: openshelf\nAllow: /`,
  },
  {
    group: 'another program',
    isOurs: false,
    write: (lines: string) => `User-agent: otherbot\n${lines}\nUser-agent: *\nAllow: /`,
  },
  {
    group: 'us and others together, in the second of two groups',
    isOurs: true,
    write: (lines: string) =>
      `User-agent: openshelf\nAllow: /\n\nUser-agent: otherbot\nUser-agent: openshelf\n${lines}`,
  },
  {
    group: 'everyone, before the group of another program',
    isOurs: true,
    write: (lines: string) => `User-agent: *\n${lines}\nUser-agent: otherbot\nDisallow: /`,
  },
] as const;

/** `isHere`: whether a statement about this path is about the page. */
const PATHS = [
  { path: '', isHere: true },
  { path: '/ ', isHere: true },
  { path: '/products/ ', isHere: true },
  { path: '/products/kettle$ ', isHere: true },
  { path: '/*/kettle\t', isHere: true },
  { path: '/pro%64ucts/ ', isHere: true },
  { path: '/blog/ ', isHere: false },
  { path: '/products/$ ', isHere: false },
] as const;

type Statement = {
  readonly name: string;
  readonly field: 'Content-Signal' | 'Content-Usage' | 'License';
  readonly value: string;
  readonly says: Signals;
};

const STATEMENTS: readonly Statement[] = [
  {
    name: 'all three signals',
    field: 'Content-Signal',
    value: 'search=yes, ai-input=no, ai-train=no',
    says: { search: true, aiInput: false, aiTrain: false },
  },
  { name: 'no search', field: 'Content-Signal', value: 'search=no', says: { search: false } },
  {
    name: 'a signal that is not known',
    field: 'Content-Signal',
    value: 'use=reference, ai-train=no',
    says: { aiTrain: false },
  },
  {
    name: 'both preferences',
    field: 'Content-Usage',
    value: 'train-ai=n, search=y',
    says: { search: true, aiTrain: false },
  },
  { name: 'no search (usage)', field: 'Content-Usage', value: 'search=n', says: { search: false } },
  { name: 'no use', field: 'Content-Usage', value: 'ai-use=n;x="a, b"', says: { aiInput: false } },
  { name: 'a licence', field: 'License', value: LICENSE, says: { license: LICENSE } },
];

/** `write` makes the line; `isRead`: whether it still says what it said. */
const TRAPS: readonly {
  readonly trap: string;
  readonly write: (statement: Statement, path: string) => string;
  readonly isRead: (statement: Statement) => boolean;
}[] = [
  { trap: 'plain', write: ({ field, value }, path) => `${field}: ${path}${value}`, isRead: always },
  {
    trap: 'the name in capitals, spaces around, a comment after it',
    write: ({ field, value }, path) => ` ${field.toUpperCase()} \t: ${path}${value}  # see terms`,
    isRead: always,
  },
  {
    trap: 'behind a comment sign',
    write: ({ field, value }, path) => `# ${field}: ${path}${value}`,
    isRead: never,
  },
  {
    trap: 'values in capitals',
    write: ({ field, value }, path) =>
      `${field}: ${path}${field === 'License' ? value : value.toUpperCase()}`,
    // A structured field has keys in lower case only; signals are read in any case.
    isRead: ({ field }) => field !== 'Content-Usage',
  },
  {
    trap: 'a comma too many',
    write: ({ field, value }, path) => `${field}: ${path}${value}${field === 'License' ? '' : ','}`,
    isRead: ({ field }) => field !== 'Content-Usage',
  },
  {
    trap: 'the same again, the other way first',
    write: ({ field, value }, path) => {
      const other = value.replaceAll('=no', '=yes').replaceAll(/=n\b/g, '=y');
      return `${field}: ${path}${other}\n${field}: ${path}${value}`;
    },
    isRead: always,
  },
  {
    trap: 'a rule for a shorter path that says the opposite',
    write: ({ field, value }, path) => {
      const opposite = field === 'Content-Signal' ? 'search=no' : 'search=n';
      const shorter =
        field === 'License' || path.trim().length < 2 ? '' : `${field}: / ${opposite}\n`;
      return `${shorter}${field}: ${path}${value}`;
    },
    isRead: always,
  },
];

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

export type RobotsFile = {
  readonly name: string;
  readonly text: string;
  /** What it says about the use of the page; undefined if that is nothing. */
  readonly says: Signals | undefined;
};

const OPPOSITE = 'a rule for a shorter path that says the opposite';

/** Returns every combination. A licence has no path. */
export function robotsFiles(): readonly RobotsFile[] {
  return GROUPS.flatMap(({ group, isOurs, write }) =>
    PATHS.flatMap(({ path, isHere }) =>
      STATEMENTS.filter(({ field }) => field !== 'License' || path === '').flatMap((statement) =>
        TRAPS.map(({ trap, write: line, isRead }) => {
          const isSaid = isOurs && isHere && isRead(statement);
          const isOpposed = trap === OPPOSITE && isOurs && !isHere && statement.field !== 'License';
          const opposite = isOpposed ? { search: false } : undefined;
          return {
            name: `${statement.name}, ${trap}, for ${group}, at "${path}"`,
            text: `${write(`${line(statement, path)}\nAllow: /`)}\n`,
            says: isSaid ? statement.says : opposite,
          };
        }),
      ),
    ),
  );
}
