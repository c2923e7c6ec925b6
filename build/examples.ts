// Writes the examples of the OpenAPI document, really answered by the service on the simulated shops.
// `npm run docs:examples`; a test makes them again and compares.

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { exampleCalls } from './example-calls.ts';
import { produceExamples } from './produce-examples.ts';

const FILE = join(dirname(import.meta.dirname), 'assets', 'examples.json');

const examples = await produceExamples(exampleCalls);
writeFileSync(FILE, `${JSON.stringify(examples, null, 1)}\n`);
console.error(`${examples.length} examples in ${FILE}`);
