// The rules of the source tree. Each looks at a tree (paths below `src`) and lists what breaks it.

import {
  EMPTY_NAMES,
  ENTRY_POINTS,
  FORBIDDEN,
  LIMITS,
  MAY_IMPORT,
  PACKAGES,
} from './architecture-table.ts';
import { edgesOf, only } from './source-tree.ts';
import type { Edge, SourceTree } from './source-tree.ts';

export type Rule = {
  readonly name: string;
  /** Shown when it fails: what is asked and why. */
  readonly sentence: string;
  readonly broken: (tree: SourceTree) => readonly string[];
};

export const RULES: readonly Rule[] = [
  {
    name: 'rooms',
    sentence:
      'A room imports only the rooms that the table names (tests/support/architecture-table.ts): ' +
      'rules stay pure, data flows one way.',
    broken: brokenRooms,
  },
  {
    name: 'cycles',
    sentence: 'No file imports itself through others: what two files need moves into a third.',
    broken: cycles,
  },
  {
    name: 'retailers apart',
    sentence: 'One retailer never imports another, so that each can be removed with its folder.',
    broken: (tree) =>
      inside(tree)
        .filter(({ from, to }) => {
          const [own, other] = [from, to].map(
            (path) => /^retailers\/(retailer-\w+)\//.exec(path)?.[1],
          );
          return own !== undefined && other !== undefined && own !== other;
        })
        .map(say),
  },
  {
    name: 'packages',
    sentence:
      'A package or Node module is imported only where the table says: one room owns sockets, one the ' +
      'database, one the schemas.',
    broken: brokenPackages,
  },
  {
    name: 'effects',
    sentence:
      'Time, chance, the environment and the network are handed in: only the files that own them ' +
      'reach for them.',
    broken: brokenEffects,
  },
  {
    name: 'side effects',
    sentence: 'Nothing is imported for its side effect: what happens at import cannot be tested.',
    broken: (tree) =>
      edgesOf(tree)
        .filter((edge) => edge.isSideEffect)
        .map(say),
  },
  {
    name: 'sizes',
    sentence:
      `A file has at most ${LIMITS.fileLines} lines, code ${LIMITS.codeColumns} columns (long literals ` +
      `apart), a comment ${LIMITS.commentColumns}.`,
    broken: brokenSizes,
  },
  {
    name: 'names',
    sentence:
      'Files and folders are kebab-case nouns that say what they hold; index, utils, helpers, common ' +
      'and types say nothing.',
    broken: (tree) =>
      [...tree.keys()].filter(
        (path) => EMPTY_NAMES.test(path) || !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*[./])+ts$/.test(path),
      ),
  },
  {
    name: 'exports',
    sentence:
      'Exports have names: a default export has another name in every file that imports it.',
    broken: (tree) => matching(tree, /^\s*export\s+default\b|\bas\s+default\b/m, 'default export'),
  },
  {
    name: 'any',
    sentence: 'No `any`: what is not known is `unknown` and is looked at before it is used.',
    broken: (tree) => matching(tree, /(?:[:<|&,(]|\bas|=>)\s*any\b(?!\s*[:(])/, 'any'),
  },
  {
    name: 'opening lines',
    sentence: 'A file opens with one to four comment lines: what it is for, what it must not know.',
    broken: brokenOpenings,
  },
  {
    name: 'dead files',
    sentence: 'Every file is imported by another one, or is an entry point.',
    broken: deadFiles,
  },
];

function say({ from, to }: Edge): string {
  return `${from} imports ${to}`;
}

function inside(tree: SourceTree): readonly Edge[] {
  return edgesOf(tree).filter((edge) => tree.has(edge.to));
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function brokenRooms(tree: SourceTree): readonly string[] {
  const unknown = [...new Set([...tree.keys()].map(roomOf))].filter(
    (room) => !(room in MAY_IMPORT),
  );
  const wrong = edgesOf(tree).filter(({ from, to }) => {
    if (!to.endsWith('.ts')) return false;
    if (!tree.has(to)) return true;
    const allowed = MAY_IMPORT[roomOf(from)] ?? [];
    return (
      roomOf(from) !== roomOf(to) &&
      !allowed.some((name) => name === '*' || name === roomOf(to) || name === to)
    );
  });
  const upward = inside(tree).filter(({ to }) => to === 'main.ts');
  return [
    ...unknown.map((room) => `${room} is no room of the table`),
    ...[...wrong, ...upward].map(say),
  ];
}

function cycles(tree: SourceTree): readonly string[] {
  const next = Map.groupBy(inside(tree), ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      found.push([...way.slice(way.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const { to } of next.get(path) ?? []) walk(to, [...way, path]);
    done.add(path);
  };
  for (const path of tree.keys()) walk(path, []);
  return found;
}

function brokenPackages(tree: SourceTree): readonly string[] {
  return edgesOf(tree)
    .filter(({ from, to, isTypeOnly }) => {
      if (isTypeOnly || to.endsWith('.ts')) return false;
      const depth = to.startsWith('@') ? 2 : 1;
      const allowed = PACKAGES[to.split('/').slice(0, depth).join('/')];
      return allowed?.test(from) !== true;
    })
    .map(say);
}

function brokenEffects(tree: SourceTree): readonly string[] {
  return [...tree].flatMap(([path, text]) => {
    const code = only('code', text);
    return FORBIDDEN.filter(
      ({ pattern, allowedIn }) => !allowedIn.test(path) && pattern.test(code),
    ).map(({ what }) => `${path} uses ${what}`);
  });
}

function brokenSizes(tree: SourceTree): readonly string[] {
  return [...tree].flatMap(([path, text]) => {
    const lines = text.trimEnd().split('\n').length;
    const long = (region: 'code' | 'comment', most: number): string[] =>
      only(region, text)
        .split('\n')
        .flatMap((line, at) =>
          widthOf(line, region) > most
            ? [`${path}:${at + 1} has ${line.trimEnd().length} columns`]
            : [],
        );
    return [
      ...(lines > LIMITS.fileLines ? [`${path} has ${lines} lines`] : []),
      ...long('code', LIMITS.codeColumns),
      ...long('comment', LIMITS.commentColumns),
    ];
  });
}

/** Columns of a line; in code, literals (blanked out here) and the indent before them do not count. */
function widthOf(line: string, region: 'code' | 'comment'): number {
  return region === 'code' ? line.trim().replaceAll(/ {2,}/g, ' ').length : line.trimEnd().length;
}

function matching(tree: SourceTree, pattern: RegExp, what: string): readonly string[] {
  return [...tree]
    .filter(([, text]) => pattern.test(only('code', text)))
    .map(([path]) => `${path} has ${what}`);
}

function brokenOpenings(tree: SourceTree): readonly string[] {
  return [...tree]
    .filter(([, text]) => {
      const lines = text.split('\n');
      const end = lines.findIndex((line) => !line.startsWith('//'));
      const count = end < 0 ? lines.length : end;
      return count < 1 || count > 4;
    })
    .map(([path]) => path);
}

function deadFiles(tree: SourceTree): readonly string[] {
  const alive = new Set(inside(tree).map(({ to }) => to));
  return [...tree.keys()].filter((path) => !alive.has(path) && !ENTRY_POINTS.test(path));
}
