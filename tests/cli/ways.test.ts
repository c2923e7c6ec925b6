// A fault sends callers of the API to a route, and whoever sits at a terminal to a command.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { COMMAND_NAMES } from '../../src/cli/commands.ts';
import { CANNOT_ASK } from '../../src/collect/ask-retailer.ts';
import { WAYS, withCommands } from '../../src/core/ways.ts';
import { noRetailerHasIt } from '../../src/lookup/steps/no-retailer.ts';
import { noSuchWatch } from '../../src/lookup/watches/no-such.ts';

test('a fault that sends callers to a route sends a terminal to a command that there is', () => {
  const nobody = noRetailerHasIt([{ slug: 'retailer_w', outcome: CANNOT_ASK }]);
  assert.ok(nobody.kind === 'failed');
  for (const { detail } of [noSuchWatch('wat_x').fault, CANNOT_ASK.fault, nobody.fault]) {
    assert.match(detail, /GET \/v1\//);
    assert.doesNotMatch(withCommands(detail), /\/v1\//);
  }
  for (const { command } of Object.values(WAYS)) {
    assert.ok(COMMAND_NAMES.includes(command.split(' ')[1] ?? ''), command);
  }
});
