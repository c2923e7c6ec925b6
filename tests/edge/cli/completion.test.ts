// The script for a shell includes every command and option, and the shell understands it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const script = async (shell: string) => (await runCommand(['completion', shell])).stdout;

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`the script for ${shell} names every command, and options of each`, async () => {
    const text = await script(shell);
    const help = (await runCommand(['--help'])).out.flatMap(
      (line) => /^ {2}([a-z-]+) /.exec(line)?.[1] ?? [],
    );
    assert.ok(help.length > 20);
    for (const name of help) assert.ok(text.includes(name), name);
    for (const option of ['cost-column', 'force-refresh', 'retailer'])
      assert.ok(text.includes(option));
  });
}

/** Returns bash's suggestions for the words so far. */
async function offered(words: readonly string[], cwd = '.'): Promise<readonly string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const asked = `${await script('bash')}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _openshelf; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', asked], { encoding: 'utf8', cwd });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

test('bash completes commands, and the options of the command that was written', async () => {
  assert.deepEqual(await offered(['openshelf', 'loo']), ['lookup']);
  assert.deepEqual(await offered(['openshelf', 'lookup', '--cost']), [
    '--cost-column',
    '--cost-per',
  ]);
  assert.deepEqual(await offered(['openshelf', 'export', '--cost']), ['']);
});

test('bash completes the names of files, with their spaces', async () => {
  using folder = temporaryFolder();
  for (const name of ['a b.csv', 'a c.csv', 'd.csv']) writeFileSync(join(folder.path, name), '');
  const names = await offered(['openshelf', 'lookup', '--file', 'a'], folder.path);
  assert.deepEqual(names.toSorted(), ['a b.csv', 'a c.csv']);
});

test('another shell is bad usage', async () => {
  const { code, stderr } = await runCommand(['completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(stderr, /bash, zsh and fish, not for "tcsh"/);
});
