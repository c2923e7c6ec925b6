// npm run lab -- rules --manifest PATH [--seed N]: whether an amount that a person chose on a page is found again (D85). On every
// recorded page with an amount one is chosen: the price where the readers took one, else the most likely one. Then the page is
// changed in five ways: other class names, another order, a redesign, another product, and a cross-sell at the old place.
// Exit code 1 if a wrong amount was found anywhere, or fewer than 90 % were found.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { isKnownSlug } from '../../src/base/retailer.ts';
import { savedPage } from '../../src/edge/cli/products/saved-page.ts';
import { readCandidates, type PageCandidate } from '../../src/read/candidates/candidates.ts';
import { choosePlace, textAtPlace } from '../../src/read/candidates/place.ts';
import { decodeBody } from '../../src/read/page-data/html/charset.ts';
import { integerBelow, randomFrom } from '../../tests/support/random.ts';
import { bodyOf, isHtmlRow } from './parsing/feed.ts';
import { parseManifest } from './parsing/manifest.ts';
import { otherDigits, VERSIONS } from './rules/versions.ts';

const { values } = parseArgs({
  options: { manifest: { type: 'string' }, seed: { type: 'string', default: '7' } },
});
const manifest = values.manifest ?? '';
const random = randomFrom(Number(values.seed));
const counts = new Map<string, Record<string, number>>();
let pages = 0;

type ShownCandidate = PageCandidate & { readonly shown: NonNullable<PageCandidate['shown']> };

function amountsOn(html: string, url: string, slug: string | undefined): readonly ShownCandidate[] {
  const page = savedPage(new TextEncoder().encode(html), { url });
  const verdict = readCandidates(page, slug);
  const candidates = verdict.kind === 'read' ? verdict.value.candidates : [];
  return candidates.filter(
    (one): one is ShownCandidate => one.said.field === 'price' && one.shown !== null,
  );
}

const withPlace = (one: ShownCandidate) => ({ ...one, place: one.shown.place });

const unitsOf = ({ said }: PageCandidate): number =>
  said.field === 'price' ? said.money.cents : -1;

/** Chooses what a person would choose: the price if it is shown, else any amount. */
function chosenOf(
  amounts: readonly ShownCandidate[],
  draw: () => number,
): ShownCandidate | undefined {
  const taken = amounts.find(({ isTaken }) => isTaken);
  return taken ?? amounts[integerBelow(draw, Math.max(1, amounts.length))];
}

for (const row of parseManifest(await readFile(manifest, 'utf8')).rows) {
  const file = await readFile(resolve(dirname(manifest), row.file));
  if (row.reader !== 'product' || row.expected.get('verdict')?.[0] !== 'product') continue;
  if (!isHtmlRow(file, row.feed)) continue;
  const { text } = decodeBody(bodyOf(file, row.feed), 'text/html');
  const url = row.url ?? 'https://shop.invalid/';
  const slug = isKnownSlug(row.slug) ? row.slug : undefined;
  const first = amountsOn(text, url, slug);
  const chosen = chosenOf(first, random);
  if (chosen === undefined) continue;
  pages += 1;
  const placed = first.map(withPlace);
  const place = choosePlace(placed[first.indexOf(chosen)] ?? withPlace(chosen), placed);
  for (const [name, change] of Object.entries(VERSIONS)) {
    const changed = change(text, chosen.shown, random);
    const count = counts.get(name) ?? { right: 0, doubtful: 0, withdrawn: 0, wrong: 0, skipped: 0 };
    counts.set(name, count);
    if (changed === null) {
      count['skipped'] = (count['skipped'] ?? 0) + 1;
      continue;
    }
    const amounts = amountsOn(changed.html, url, slug);
    const sum = Number(otherDigits(String(unitsOf(chosen)), changed.step ?? 0));
    const found = textAtPlace(place, amounts.map(withPlace), (a, b) => unitsOf(a) === unitsOf(b));
    const outcome =
      found === null
        ? 'withdrawn'
        : unitsOf(found.text) !== sum
          ? 'wrong'
          : found.agreement === 'all'
            ? 'right'
            : 'doubtful';
    count[outcome] = (count[outcome] ?? 0) + 1;
    if (outcome === 'wrong')
      console.log(
        `wrong  ${name}  ${row.file}: ${JSON.stringify(chosen.said)} became ${JSON.stringify(found?.text.said)}`,
      );
  }
}
console.log(`${pages} pages with an amount, seed ${values.seed}`);
for (const [name, count] of counts) console.log(`${name.padEnd(20)} ${JSON.stringify(count)}`);
const sum = (outcome: string): number =>
  [...counts.values()].reduce((total, count) => total + (count[outcome] ?? 0), 0);
const all = ['right', 'doubtful', 'withdrawn', 'wrong'].reduce(
  (total, each) => total + sum(each),
  0,
);
const found = sum('right') + sum('doubtful');
console.log(
  `found ${found} of ${all} (${((found / all) * 100).toFixed(1)} %), ${sum('doubtful')} of them doubtful, ${sum('withdrawn')} withdrawn, ${sum('wrong')} wrong`,
);
process.exitCode = sum('wrong') === 0 && found >= all * 0.9 ? 0 : 1;
