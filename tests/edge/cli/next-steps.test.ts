// A fault points API callers to a route, terminal users to a command, and agents to a tool.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TOOLS } from '../../../src/answer/agents/tools.ts';
import { COMMAND_NAMES } from '../../../src/edge/cli/commands.ts';
import { CANNOT_ASK } from '../../../src/answer/collect/asking/ask-retailer.ts';
import { NEXT_STEPS, withoutRoutes } from '../../../src/base/next-steps.ts';
import { noRetailerHasIt } from '../../../src/answer/lookup/steps/no-retailer.ts';
import { noSuchWatch } from '../../../src/answer/lookup/watches/no-such.ts';

const nobody = noRetailerHasIt([{ slug: 'retailer_w', outcome: CANNOT_ASK }]);
assert.ok(nobody.kind === 'failed');
const DETAILS = [noSuchWatch('wat_x').fault, CANNOT_ASK.fault, nobody.fault].map(
  ({ detail }) => detail,
);

test('a fault that sends callers to a route sends a terminal to a command that there is', () => {
  for (const detail of DETAILS) {
    assert.match(detail, /GET \/v1\//);
    assert.doesNotMatch(withoutRoutes(detail, 'command'), /\/v1\//);
  }
  for (const { command } of Object.values(NEXT_STEPS)) {
    assert.ok(COMMAND_NAMES.includes(command.split(' ')[1] ?? ''), command);
  }
});

test('an agent is sent to a tool that there is, and a sheet of a service to none of its own machine', () => {
  for (const detail of DETAILS) {
    for (const reader of ['tool', 'row'] as const) {
      assert.doesNotMatch(withoutRoutes(detail, reader), /\/v1\//);
    }
  }
  const [tool = ''] = NEXT_STEPS.lookUpPage.tool.split(' ');
  assert.ok(Object.keys(TOOLS).includes(tool), tool);
  assert.match(withoutRoutes(nobody.fault.detail, 'row'), /page instead: a row with the address\./);
  assert.match(withoutRoutes(CANNOT_ASK.fault.detail, 'row'), /doctor on the operator's machine/);
});
