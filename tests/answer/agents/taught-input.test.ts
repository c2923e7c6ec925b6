// An invalid call is answered with what is wrong and the correct form.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { taughtInput } from '../../../src/answer/agents/taught-input.ts';
import { TOOLS } from '../../../src/answer/agents/tools.ts';

const schemas = Object.values(TOOLS).map(({ name, input, example }) =>
  taughtInput(name, input as never, example as never),
);

async function toldOf(input: unknown): Promise<string> {
  const { name, input: schema, example } = TOOLS.lookup;
  const { issues = [] } = await taughtInput(name, schema, example)['~standard'].validate(input);
  return issues.map(({ message }) => message).join('|');
}

const RIGHT =
  ' lookup accepts identifier (required), retailer, currency, detail, for example ' +
  '{"identifier":"614141000005"}.';

for (const [what, input, response] of [
  ['another name', { id: '5' }, 'identifier is missing. "id" is not known.'],
  [
    'a number that has lost digits',
    { identifier: 1e20 },
    'identifier is a number that cannot be a code, or has lost digits; send it in quotes.',
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
    assert.equal(await toldOf(input), response + RIGHT);
  });
}

async function readOf(name: keyof typeof TOOLS, input: unknown): Promise<unknown> {
  const { input: schema, example } = TOOLS[name];
  const read = await taughtInput(name, schema as never, example as never)['~standard'].validate(
    input,
  );
  return read.issues === undefined ? read.value : null;
}

const CODE = '614141000005';

for (const [name, sent, read] of [
  ['lookup', { identifier: 614_141_000_005 }, { identifier: CODE }],
  ['lookup', { identifier: 9_780_306_406_157 }, { identifier: '9780306406157' }],
  ['lookup', { identifier: CODE, detail: 'true' }, { identifier: CODE, detail: true }],
  ['lookup', { identifier: CODE, detail: 'False' }, { identifier: CODE, detail: false }],
  ['compare', { identifier: CODE, cost: '5' }, { identifier: CODE, cost: 5 }],
  ['compare', { identifier: CODE, cost: ' 12.50 ' }, { identifier: CODE, cost: 12.5 }],
  ['compare', { identifier: CODE, cost: '1e1' }, { identifier: CODE, cost: 10 }],
  ['watch', { identifier: CODE, new_low: '30' }, { identifier: CODE, new_low: 30 }],
  ['change_watch', { watch: 'w', paused: 'TRUE' }, { watch: 'w', paused: true }],
  ['change_watch', { watch: 'w', without: '["below"]' }, { watch: 'w', without: ['below'] }],
  ['change_watch', { watch: 'w', without: 'below' }, { watch: 'w', without: ['below'] }],
  // Something would be lost, or guessed.
  ['change_watch', { watch: 'w', without: '["below"' }, null],
  ['change_watch', { watch: 'w', without: '[{}]' }, null],
  ['change_watch', { watch: 'w', without: 'all' }, null],
  ['change_watch', { watch: 'w', without: '' }, null],
  ['change_watch', { watch: 'w', without: 5 }, null],
  ['lookup', { identifier: 614_141_000_005.5 }, null],
  ['lookup', { identifier: -5 }, null],
  ['lookup', { identifier: CODE, detail: 'yes' }, null],
  ['lookup', { identifier: CODE, detail: 1 }, null],
  ['compare', { identifier: CODE, cost: '5,50' }, null],
  ['compare', { identifier: CODE, cost: '$5' }, null],
  ['compare', { identifier: CODE, cost: '' }, null],
  ['compare', { identifier: CODE, cost: '1.0000000000000001' }, null],
  ['compare', { identifier: CODE, cost: '0x10' }, null],
  ['compare', { identifier: CODE, cost: 5.005 }, null],
  ['watch', { identifier: CODE, new_low: '31' }, null],
] as const) {
  test(`${name} ${read === null ? 'refuses' : 'takes'} ${JSON.stringify(sent)}`, async () => {
    assert.deepEqual(await readOf(name, sent), read);
  });
}

test('every price in cents up to 100 is a cost, as is the largest', async () => {
  for (let cents = 0; cents <= 10_000; cents += 1) {
    const cost = Number((cents / 100).toFixed(2));
    assert.deepEqual(await readOf('compare', { identifier: CODE, cost }), {
      identifier: CODE,
      cost,
    });
  }
  assert.ok(await readOf('compare', { identifier: CODE, cost: 999_999.99 }));
});

/** Words that mean the same in draft 7, in 2020-12 and in the dialects of models' APIs. */
const COMMON_WORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'description',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'maxItems',
]);

function wordsOf(schema: object): readonly string[] {
  return Object.entries(schema).flatMap(([word, value]) => {
    if (word === 'properties') return Object.values(value as object).flatMap(wordsOf);
    return word === 'items' ? [word, ...wordsOf(value as object)] : [word];
  });
}

test('the schemas of the tools use common words, name no draft, and accept the examples in draft 7 and 2020-12', () => {
  for (const { name, input, example } of Object.values(TOOLS)) {
    const taught = taughtInput(name, input as never, example as never);
    const schema = taught['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    const unusual = wordsOf(schema).filter((word) => !COMMON_WORDS.has(word));
    assert.deepEqual(unusual, [], name);
    for (const validator of [new Ajv({ strict: true }), new Ajv2020({ strict: true })]) {
      assert.ok(validator.validate(schema, example), `${name} ${validator.errorsText()}`);
    }
  }
});

test('hundreds of unknown arguments with long names are reported in a few hundred characters', async () => {
  const many = Array.from({ length: 500 }, (_, at) => [`${'x'.repeat(1_000)}${at}`, 1] as const);
  const response = await toldOf(Object.fromEntries(many));
  assert.ok(response.length < 500, response);
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
