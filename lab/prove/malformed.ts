// Promise 3: malformed data never breaks an answer. Almost valid JSON is embedded in a page, and pages are corrupted byte by
// byte; each gets a verdict from the reading threads, and no reader throws.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import type { Page } from '../../src/base/listing/page.ts';
import { createReaderPool } from '../../src/read/threads/reader-pool.ts';
import { readAnswer, READERS } from '../../src/read/retailers/registry.ts';
import { PRODUCT_PAGE } from '../../tests/support/hostile-bodies.ts';
import { pick, randomFrom } from '../../tests/support/random.ts';
import { mutated } from '../../tests/support/text-mutations.ts';
import { hostilePages } from './hostile-pages.ts';
import type { Proof, ProofResult } from './proof.ts';
import { stallsBeyond, watchStalls } from './stalls.ts';

const SEED = 3;
const MAX_STALL_MS = 250;

/** JSON texts with special numbers, strings, nesting and ends; a folder of additional ones may be given. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '[',
  ']',
  '{',
  '}',
  '[,]',
  '{,}',
  '[1,]',
  '{"a":1,}',
  '{"a"}',
  '{"a":}',
  '{1:1}',
  '-',
  '-0',
  '1e999',
  '-1e-999',
  '0x10',
  '01',
  '1.',
  '.1',
  '1e',
  'NaN',
  'Infinity',
  '+1',
  '"',
  '"\\',
  '"\\u',
  '"\\ud800"',
  '"\\u0000"',
  '"\u0000"',
  '"\n"',
  "'a'",
  '"\\x41"',
  '[[[[[[',
  '{"a":{"a":{',
  '[1 2]',
  '{"a":1 "b":2}',
  'tru',
  'nulll',
  '\ufeff[]',
  '[]]',
  '{}{}',
  '{"__proto__":{"x":1}}',
  '{"constructor":1}',
  '{"a":1,"a":2}',
  '/**/[]',
  '[]//',
  '[1]\u2028',
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
  `[${'1,'.repeat(200_000)}1]`,
  `"${'\\u00e9'.repeat(100_000)}"`,
];

/** Each text as JSON-LD, as a script's state and as an API answer, read by every reader. */
function proveJson(texts: readonly Uint8Array[], say: (line: string) => void): ProofResult {
  let [readings, thrown] = [0, 0];
  for (const text of texts) {
    for (const body of placesOf(text)) {
      for (const [slug, reader] of NAMED_READERS) {
        readings += 1;
        thrown += threwOn(pageOf(body), reader, slug, say) ? 1 : 0;
      }
    }
  }
  const figure = `${texts.length} JSON texts in 3 places, ${readings} readings: ${thrown} errors`;
  return { holds: thrown === 0, figures: [figure] };
}

const NAMED_READERS: readonly (readonly [slug: string | undefined, reader: string])[] = [
  [undefined, 'product'],
  ...KNOWN_SLUGS.flatMap((slug) =>
    Object.keys(READERS[slug]).map((reader) => [slug, reader] as const),
  ),
];

function placesOf(text: Uint8Array): readonly Uint8Array[] {
  const around = (before: string, after: string) =>
    Buffer.concat([Buffer.from(before), text, Buffer.from(after)]);
  return [
    text,
    around('<script type="application/ld+json">', '</script>'),
    around('<script id="__NEXT_DATA__" type="application/json">', '</script>'),
  ];
}

function pageOf(body: Uint8Array): Page {
  const url = 'https://shop.example.com/p/1';
  return { requestedUrl: url, url, status: 200, headers: {}, body, fetchedAtMs: 0 };
}

function threwOn(
  page: Page,
  reader: string,
  slug: string | undefined,
  say: (line: string) => void,
): boolean {
  try {
    readAnswer(page, reader, slug);
    return false;
  } catch (error) {
    say(`${slug ?? 'any shop'} ${reader}: ${error instanceof Error ? error.message : 'thrown'}`);
    return true;
  }
}

/** Corrupted pages through the reading threads, as the service reads them. */
async function proveMutations(count: number, say: (line: string) => void): Promise<ProofResult> {
  const random = randomFrom(SEED);
  const readers = createReaderPool();
  const stalls = watchStalls();
  const pages = [PRODUCT_PAGE, ...Object.values(hostilePages).map((make) => make(20_000))];
  const kinds = new Map<string, number>();
  let broken = 0;
  for (let made = 0; made < count; made += 1) {
    const text = mutated(pick(random, pages), random);
    const [slug, reader] = pick(random, NAMED_READERS);
    const verdict = await readers.answer(pageOf(Buffer.from(text)), reader, slug);
    const kind = verdict?.kind ?? 'none';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    // A reader that throws is reported as unreadable, with the error's own message.
    if (verdict === null || (verdict.kind === 'unreadable' && THROWN.test(verdict.why))) {
      broken += 1;
      say(`page ${made}, ${slug ?? 'any shop'} ${reader}: ${kind}`);
    }
  }
  await readers.close();
  const held = stallsBeyond(stalls.stop(), [], MAX_STALL_MS);
  const found = [...kinds].map(([kind, times]) => `${times} ${kind}`).join(', ');
  return {
    holds: broken === 0 && held.length === 0,
    figures: [
      `${count} spoilt pages (seed ${SEED}): ${broken} without a verdict (${found})`,
      `${held.length} stalls over ${MAX_STALL_MS} ms of the serving thread`,
    ],
  };
}

const THROWN = /is not a function|undefined|Cannot|Maximum call stack|Invalid|thread/;

function furtherTexts(how: { readonly vectors: string | null }): readonly Uint8Array[] {
  const { vectors } = how;
  const folder = vectors === null ? null : join(vectors, 'json-test-suite');
  if (folder === null || !existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name)));
}

export const malformed: Proof = {
  name: 'malformed',
  promise: 3,
  says: 'Malformed data never breaks an answer.',
  run: async (how) => {
    const texts = [...TEXTS.map((text) => Buffer.from(text)), ...furtherTexts(how)];
    const json = proveJson(texts, how.say);
    const spoilt = await proveMutations(how.isLong ? 10_000 : 1_000, how.say);
    return { holds: json.holds && spoilt.holds, figures: [...json.figures, ...spoilt.figures] };
  },
};
