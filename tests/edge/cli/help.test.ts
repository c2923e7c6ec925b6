// The program's own help: its commands, their options, the settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CREDENTIAL_NAMES } from '../../../src/read/retailers/credentials.ts';
import { COMMAND_NAMES } from '../../../src/edge/cli/commands.ts';
import { SETTING_NAMES } from '../../../src/edge/settings/read-settings.ts';
import { runCommand } from '../../support/command.ts';

const COMMANDS = (await runCommand(['--help'])).out.flatMap(
  (line) => /^ {2}([a-z-]+) {2,}\S/.exec(line)?.[1] ?? [],
);

test('openshelf --help names each command once, with what it does, below a heading', () => {
  assert.deepEqual(COMMANDS.toSorted(), [...COMMAND_NAMES].toSorted());
});

test('every command has --help, with each option explained and in the lines that show how to call it', async () => {
  for (const name of COMMANDS) {
    const { code, stdout } = await runCommand([name, '--help']);
    assert.equal(code, 0, name);
    const [, usage = '', explained = ''] = stdout.split('\n\n');
    assert.match(usage, /^Usage: openshelf /, name);
    const inUsage = new Set(usage.match(/--[a-z-]+/g) ?? []);
    const inList = new Set(explained.match(/^ {2}--[a-z-]+/gm)?.map((each) => each.trim()) ?? []);
    assert.deepEqual(inUsage, inList, name);
    for (const line of stdout.split('\n')) assert.ok(line.length <= 115, line);
  }
});

test('openshelf serve --help lists every setting but the credentials, each with a line of its own', async () => {
  const { stdout } = await runCommand(['serve', '--help']);
  for (const name of SETTING_NAMES) {
    const isListed = new RegExp(`^  ${name}  +\\S`, 'm').test(stdout);
    assert.equal(isListed, !CREDENTIAL_NAMES.includes(name), name);
  }
});
