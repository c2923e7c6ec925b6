// Parses a command line after the command's name into options and arguments. The messages of `parseArgs` are not used: they
// explain how to pass an argument that begins with a dash, which is hardly ever what was meant.

import { didYouMean, onlyOptionsOf, UsageError, type Command, type Values } from './command.ts';
import { noPositionals } from './options.ts';

/** Taken from the process: an import would read every export of the module, and load whatever is behind each. */
const { parseArgs } = process.getBuiltinModule('node:util');

type ParsedArguments = {
  readonly values: Values;
  readonly positionals: readonly string[];
};

/** Throws a UsageError that names the first wrong option or argument. */
export function parseArguments(command: Command, args: readonly string[]): ParsedArguments {
  const options = Object.entries(command.options).map(
    ([name, { value }]) =>
      [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }] as const,
  );
  const known = {
    ...Object.fromEntries(options),
    help: { type: 'boolean', short: 'h' } as const,
  };
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'option') checkOption(token, known, command.positionals);
  }
  if (values['help'] === true) return { values, positionals };
  if (command.positionals === undefined) noPositionals(positionals);
  const [action = ''] = positionals;
  const actions = command.synopsis.map((form) => form.split(' ')[0] ?? '');
  if (/^[a-z]/.test(action) && actions.includes(action)) onlyOptionsOf(command, action, values);
  return { values, positionals };
}

type OptionToken = {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

function checkOption(
  { name, rawName, value, inlineValue }: OptionToken,
  known: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>,
  positionals: Command['positionals'] = {},
): void {
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (option === undefined) {
    const names = Object.keys(known).map((each) => `--${each}`);
    const hint =
      shortHint(rawName, names) ?? argumentHint(name, positionals) ?? didYouMean(rawName, names);
    throw new UsageError(
      [`Unknown option "${rawName}".`, ...(hint === null ? [] : [hint])].join(' '),
    );
  }
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return;
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value.`);
  // `--port --json`: the value was forgotten, and the next option would be taken for it.
  if (inlineValue !== true && /^-./.test(value)) {
    throw new UsageError(
      `${rawName} needs a value. If "${value}" is the value, write ${rawName}=${value}.`,
    );
  }
}

/** `-p` for `--port`: the only short option is -h. */
function shortHint(rawName: string, names: readonly string[]): string | null {
  if (!/^-[a-z]$/.test(rawName)) return null;
  const meant = names.filter((each) => each.startsWith(`-${rawName}`));
  return meant.length === 0 ? null : `There is no short form: use ${meant.join(' or ')}.`;
}

/**
 * Returns a hint for an argument that was given as an option: `--name x`, or `--org x` where the argument NAME is an
 * organization.
 */
function argumentHint(
  name: string,
  positionals: NonNullable<Command['positionals']>,
): string | null {
  const meant = Object.entries(positionals).find(
    ([argument, help]) =>
      argument.toLowerCase() === name || (name.length > 2 && help.startsWith(`the ${name}`)),
  );
  return meant === undefined
    ? null
    : `${meant[0]} is not an option: write it without dashes, after the command.`;
}
