// What a watch reports about itself: sentences for people, whatever the form of the reason given to programs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { troubleBody } from '../../../src/rules/watches/notice.ts';

const NAMED = { identifiers: ['614141000005'], known: null };
const REST = 'The checks continue. If the page has moved, create a watch for its new address.';

const FAILING = [
  {
    facts: {
      why: 'upstream_blocked: The shop refuses automated requests for this page. Try again later.',
      rounds: 3,
    },
    text: `The last 3 checks read nothing. Reason: The shop refuses automated requests for this page. Try again later. ${REST}`,
  },
  {
    facts: { why: 'not_found: the shop answered 404', rounds: 1 },
    text: `The last check read nothing. Reason: the shop answered 404. ${REST}`,
  },
  {
    facts: { why: null, rounds: 2 },
    text: `The last 2 checks read nothing. Reason: the last check was not made in time. ${REST}`,
  },
] as const;

for (const { facts, text } of FAILING) {
  test(`a watch that reads nothing says why in one sentence after the other: ${facts.why ?? 'never made'}`, () => {
    assert.equal(troubleBody('failing', NAMED, facts).text, text);
  });
}
