// npm run lab -- rules --manifest PATH [--seed N] [--input taken]: whether an amount that a person chose on a page is found again
// (D85). On every recorded page an amount is chosen that the readers did not take, and one on each of 60 generated pages; with
// `--input taken` the price, where the readers took one. Then the page is changed in five ways: other class names, another order,
// a redesign, another product, and a cross-sell at the old place. Exit code 1 if a wrong amount was found anywhere, or fewer than
// 90 % were found.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { isKnownSlug } from '../../src/base/retailer.ts';
import { savedPage } from '../../src/edge/cli/products/saved-page.ts';
import { readCandidates, type PageCandidate } from '../../src/read/candidates/candidates.ts';
import { choosePlace, textAtPlace } from '../../src/read/candidates/place.ts';
import { decodeBody } from '../../src/read/page-data/html/charset.ts';
import { integerBelow, pick, randomFrom } from '../../tests/support/random.ts';
import { bodyOf, isHtmlRow } from './parsing/feed.ts';
import { parseManifest } from './parsing/manifest.ts';
import { generatedPage } from './rules/generated.ts';
import { otherDigits, VERSIONS } from './rules/versions.ts';

const { values } = parseArgs({
  options: {
    manifest: { type: 'string' },
    seed: { type: 'string', default: '7' },
    input: { type: 'string', default: 'other' },
  },
});
const GENERATED = 60;
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

type Asked = { readonly name: string; readonly url: string; readonly slug: string | undefined };

/** Chooses an amount and looks for it in five changed versions of its page. */
function judge(
  html: string,
  page: Asked,
  choose: (amounts: readonly ShownCandidate[]) => ShownCandidate | undefined,
): boolean {
  const first = amountsOn(html, page.url, page.slug);
  const chosen = first.length === 0 ? undefined : choose(first);
  if (chosen === undefined) return false;
  const placed = first.map(withPlace);
  const place = choosePlace(placed[first.indexOf(chosen)] ?? withPlace(chosen), placed);
  for (const [name, change] of Object.entries(VERSIONS)) {
    const changed = change(html, chosen.shown, random);
    const count = counts.get(name) ?? { right: 0, doubtful: 0, withdrawn: 0, wrong: 0, skipped: 0 };
    counts.set(name, count);
    if (changed === null) {
      count['skipped'] = (count['skipped'] ?? 0) + 1;
      continue;
    }
    const amounts = amountsOn(changed.html, page.url, page.slug);
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
    if (outcome === 'wrong') {
      const became = JSON.stringify(found?.text.said);
      console.log(`wrong  ${name}  ${page.name}: ${JSON.stringify(chosen.said)} became ${became}`);
    }
  }
  return true;
}

/** Chooses an amount that the readers did not take, not among other goods if there is such a one. */
function another(amounts: readonly ShownCandidate[]): ShownCandidate | undefined {
  const others = amounts.filter(({ isTaken }) => !isTaken);
  const near = others.filter(({ shown }) => !shown.place.isAmongOthers);
  return pick(random, near.length > 0 ? near : others);
}

for (const row of parseManifest(await readFile(manifest, 'utf8')).rows) {
  const file = await readFile(resolve(dirname(manifest), row.file));
  if (row.reader !== 'product' || row.expected.get('verdict')?.[0] !== 'product') continue;
  if (!isHtmlRow(file, row.feed)) continue;
  const { text } = decodeBody(bodyOf(file, row.feed), 'text/html');
  const slug = isKnownSlug(row.slug) ? row.slug : undefined;
  const page = { name: row.file, url: row.url ?? 'https://shop.invalid/', slug };
  const choose = (amounts: readonly ShownCandidate[]) =>
    values.input === 'taken'
      ? (amounts.find(({ isTaken }) => isTaken) ??
        amounts[integerBelow(random, Math.max(1, amounts.length))])
      : amounts.every(({ isTaken }) => isTaken)
        ? undefined
        : another(amounts);
  if (judge(text, page, choose)) pages += 1;
}
for (let made = 0; values.input === 'other' && made < GENERATED; made += 1) {
  const { html, chosen } = generatedPage(random);
  const page = { name: `generated ${made}`, url: 'https://shop.invalid/', slug: undefined };
  const isChosen = ({ said }: ShownCandidate) =>
    said.field === 'price' && `€${(said.money.cents / 100).toFixed(2)}` === chosen;
  if (judge(html, page, (amounts) => amounts.find(isChosen))) pages += 1;
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
