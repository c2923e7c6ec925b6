// The types of the TypeScript client match the OpenAPI document. The document is generated from the routes, without a service:
// the quick tests run this.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Example } from '../../src/server/document/examples.ts';
import { openApiDocument } from '../../src/server/openapi.ts';
import { ROUTES } from '../../src/server/routes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CLIENT, installClientPackages, runOfClient } from '../support/typescript-client.ts';

/** They determine the headers of an answer. */
const EXAMPLES = JSON.parse(
  readFileSync(join(CLIENT, '../../assets/examples.json'), 'utf8'),
) as readonly Example[];

/** Returns the first line that differs; an assertion of two equal texts would print all of both. */
function firstDifference(committed: string, made: string): string {
  const [before, now] = [committed.split('\n'), made.split('\n')];
  const at = now.findIndex((line, index) => line !== before[index]);
  return `line ${at + 1} is "${before[at]?.trim()}", the document gives "${now[at]?.trim()}"`;
}

test('the types that are committed are those that the document gives', () => {
  installClientPackages();
  using scratch = temporaryFolder();
  const [given, made] = [join(scratch.path, 'openapi.json'), join(scratch.path, 'schema.ts')];
  // The version is not part of the types.
  writeFileSync(given, JSON.stringify(openApiDocument(ROUTES, '0', EXAMPLES)));
  const { status, output } = runOfClient('openapi-typescript/bin/cli.js', [given, '-o', made]);
  assert.equal(status, 0, output);
  const committed = join(CLIENT, 'src', 'schema.ts');
  const types = readFileSync(made, 'utf8');
  if (process.env['UPDATE'] === '1') writeFileSync(committed, types);
  const text = readFileSync(committed, 'utf8');
  const advice = 'run UPDATE=1 npm test -- tests/clients/types and commit the types';
  assert.ok(text === types, `${advice}: ${firstDifference(text, types)}`);
});
