// An invalid call is answered with what is wrong and the correct form.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { taughtInput } from '../../../src/answer/agents/taught-input.ts';
import { TOOLS } from '../../../src/answer/agents/tools.ts';

const schemas = Object.values(TOOLS).map((tool) =>
  taughtInput(tool.name, tool.input, tool.example),
);

async function toldOf(input: unknown): Promise<string> {
  const { name, input: schema, example } = TOOLS.lookup;
  const { issues = [] } = await taughtInput(name, schema, example)['~standard'].validate(input);
  return issues.map(({ message }) => message).join('|');
}

const RIGHT =
  ' lookup accepts identifier (required), retailer, currency, detail, for example ' +
  '{"identifier":"614141000005"}.';

for (const [what, input, told] of [
  ['another name', { id: '5' }, 'identifier is missing. "id" is not known.'],
  [
    'a number',
    { identifier: 5 },
    'identifier is a number; send it in quotes, because numbers lose leading zeros.',
  ],
  [
    'a wrong type',
    { identifier: '5', detail: 'yes' },
    'detail is invalid; it must be true or false.',
  ],
  ['no object', 'hello', 'The arguments are not an object.'],
  ['nothing', undefined, 'The arguments are not an object.'],
] as const) {
  test(`${what} is named, and the right call is shown`, async () => {
    assert.equal(await toldOf(input), told + RIGHT);
  });
}

test('hundreds of unknown arguments with long names are told in a few hundred characters', async () => {
  const many = Array.from({ length: 500 }, (_, at) => [`${'x'.repeat(1_000)}${at}`, 1] as const);
  const told = await toldOf(Object.fromEntries(many));
  assert.ok(told.length < 500, told);
});

test('the example of each tool is a call that it reads', async () => {
  const examples = Object.values(TOOLS).map(({ example }) => example);
  const read = await Promise.all(
    schemas.map(async (schema, at) => await schema['~standard'].validate(examples[at])),
  );
  assert.deepEqual(
    read.map((each) => ('value' in each ? each.value : each.issues)),
    examples,
  );
});

test('what a tool takes is written out once, however often it is listed', () => {
  const options = { target: 'draft-2020-12' } as const;
  for (const { '~standard': standard } of schemas) {
    const listed = standard.jsonSchema.input(options);
    assert.equal(standard.jsonSchema.input(options), listed);
    assert.equal(listed['type'], 'object');
  }
});
