// The commands by name; `help.ts` groups them by purpose. A command's files are loaded when it is called: those of all
// commands took a third of the time from the start of `serve` to its first answer.

import { publicOrigins } from '../../read/retailers/addresses/public-origins.ts';
import { systemClock } from '../wiring/clocks.ts';
import type { Command, Io } from './command.ts';

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./service/serve.ts')).serve,
  lookup: async () => (await import('./products/lookup.ts')).lookup,
  compare: async () => (await import('./products/compare.ts')).compare,
  history: async () => (await import('./history/history.ts')).history,
  console: async () => (await import('./service/console.ts')).consoleCommand,
  mcp: async () => (await import('./products/mcp.ts')).mcp,
  parse: async () => (await import('./products/parse.ts')).parse,
  identify: async () => (await import('./products/identify.ts')).identifyCommand,
  keys: async () => (await import('./accounts/keys.ts')).keys,
  orgs: async () => (await import('./accounts/orgs.ts')).orgs,
  usage: async () => (await import('./accounts/usage.ts')).usage,
  watch: async () => (await import('./accounts/watch.ts')).watch,
  channel: async () => (await import('./accounts/channel.ts')).channel,
  rules: async () => (await import('./accounts/rules.ts')).rules,
  import: async () => (await import('./history/import.ts')).importCommand,
  export: async () => (await import('./history/export.ts')).exportCommand,
  backup: async () => (await import('./data/backup.ts')).backup,
  restore: async () => (await import('./data/restore.ts')).restore,
  dump: async () => (await import('./data/dump.ts')).dump,
  load: async () => (await import('./data/load.ts')).load,
  takedown: async () => (await import('./data/takedown.ts')).takedown,
  'migrate-store': async () => (await import('./data/migrate-store.ts')).migrateStore,
  check: async () => (await import('./data/check.ts')).check,
  compact: async () => (await import('./data/compact.ts')).compactCommand,
  quality: async () => (await import('./data/quality.ts')).quality,
  'agent-profile': async () => (await import('./service/agent-profile.ts')).agentProfile,
  identity: async () => (await import('./service/identity.ts')).identity,
  doctor: async () => (await import('./service/doctor.ts')).doctor,
  demo: async () => (await import('./sandbox/demo.ts')).demo,
  sandbox: async () => {
    const { sandboxCommand } = await import('./sandbox/sandbox.ts');
    return sandboxCommand({ retailers: publicOrigins() }, systemClock.now);
  },
  completion: async () => (await import('./completion.ts')).completionCommand(allCommands),
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** Matches command calls. A name before a colon is a message prefix, not a call. */
const CALLS = new RegExp(
  `\\bopenshelf (?=(?:${COMMAND_NAMES.join('|')}|<command>|--help|--version)(?![\\w:-]))`,
  'g',
);

/** Returns how texts name commands if the program is invoked in this way; undefined means as `openshelf`. */
export function commandsCalled(program: Io['program']): (text: string) => string {
  return (text) => (program === undefined ? text : text.replaceAll(CALLS, () => `${program} `));
}

/** Returns the command of that name; null if there is none. */
export async function commandNamed(name: string): Promise<Command | null> {
  return Object.hasOwn(COMMANDS, name) ? ((await COMMANDS[name]?.()) ?? null) : null;
}

/** Returns all commands, for the program's help. */
export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}
