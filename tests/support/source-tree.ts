// Source files as the architecture rules look at them: text, code without comments and literals, imports.

import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Path below the root → text. */
export type SourceTree = ReadonlyMap<string, string>;

export type Edge = {
  readonly from: string;
  /** A path of the tree, a package or a `node:` module. */
  readonly to: string;
  /** Types vanish when the file runs. */
  readonly isTypeOnly: boolean;
  readonly isSideEffect: boolean;
};

export function readTree(root: string, pattern: string): SourceTree {
  const paths = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** `'regex'` where a slash after it begins a regular expression. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

type Region = 'code' | 'comment' | 'literal';

/**
 * The text with everything of the other regions blanked out (lines kept). One pass; template literals
 * count as literals, the expressions inside them as code.
 */
export function only(region: 'code' | 'comment', text: string): string {
  let out = '';
  for (const [kind, part] of regionsOf(text)) {
    out += kind === region ? part : part.replaceAll(/[^\n]/g, ' ');
  }
  return out;
}

function regionsOf(text: string): [Region, string][] {
  const regions: [Region, string][] = [];
  const braces: number[] = [];
  let depth = 0;
  let at = 0;
  let codeFrom = 0;
  const take = (kind: Region, length: number): void => {
    regions.push(['code', text.slice(codeFrom, at)], [kind, text.slice(at, at + length)]);
    at += Math.max(length, 1);
    codeFrom = at;
  };
  const matchHere = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const one = text[at];
    if (two === '//') take('comment', matchHere(/\/\/[^\n]*/y));
    else if (two === '/*') take('comment', matchHere(/\/\*[\s\S]*?(?:\*\/|$)/y));
    else if (one === "'" || one === '"') {
      take('literal', matchHere(one === "'" ? /'(?:[^'\\\n]|\\.)*'?/y : /"(?:[^"\\\n]|\\.)*"?/y));
    } else if (one === '`' || (one === '}' && braces.at(-1) === depth)) {
      if (one === '}') braces.pop();
      const length = matchHere(/[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)?/y);
      if (text.slice(at, at + length).endsWith('${')) braces.push(depth);
      take('literal', length);
    } else if (one === '/' && BEFORE_REGEX.test(text.slice(Math.max(0, at - 40), at))) {
      take('literal', matchHere(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y));
    } else {
      if (one === '{') depth += 1;
      if (one === '}') depth -= 1;
      at += 1;
    }
  }
  regions.push(['code', text.slice(codeFrom)]);
  return regions;
}

const IMPORT = /^[ \t]*(import|export)\b(\s+type\b)?([^'";]*?)\bfrom\s+['"]([^'"]+)['"]/gm;
const SIDE_EFFECT = /^[ \t]*import\s+['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)(\s*\.)?/g;

/** Every import and re-export of the tree, relative ones resolved to paths of the tree. */
export function edgesOf(tree: SourceTree): readonly Edge[] {
  return [...tree].flatMap(([from, text]) => {
    const to = (name: string): string =>
      name.startsWith('.') ? posix.join(posix.dirname(from), name) : name;
    return [
      ...[...text.matchAll(IMPORT)].map(([, , type, names = '', name = '']) => ({
        from,
        to: to(name),
        isTypeOnly: type !== undefined || everyNameIsType(names),
        isSideEffect: false,
      })),
      ...[...text.matchAll(SIDE_EFFECT)].map(([, name = '']) => ({
        from,
        to: to(name),
        isTypeOnly: false,
        isSideEffect: true,
      })),
      ...[...text.matchAll(DYNAMIC)].map(([, name = '']) => ({
        from,
        to: to(name),
        isTypeOnly: false,
        isSideEffect: false,
      })),
    ];
  });
}

function everyNameIsType(names: string): boolean {
  const inner = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1];
  if (inner === undefined) return false;
  const listed = inner.split(',').filter((name) => name.trim() !== '');
  return listed.length > 0 && listed.every((name) => /^\s*type\s/.test(name));
}
