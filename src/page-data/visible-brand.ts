// The maker that a page names beside a label: "Výrobca: Acme", a row of a table, a link to the pages of a brand.

import type { VisibleLine, VisiblePart } from './visible-lines.ts';
import { MARK } from './visible-marks.ts';

const LABELS =
  'brand|brand name|maker|manufacturer|marke|hersteller|marque|fabricant|marca|fabricante|fabbricante|produttore|merk|fabrikant|' +
  'märke|varumärke|tillverkare|merke|produsent|mærke|producent|fabrikant|merkki|valmistaja|tuotemerkki|marka|producent|' +
  'značka|výrobce|výrobca|márka|gyártó|marcă|marca|producător|brend|proizvođač|znamka|proizvajalec|бренд|марка|производитель|' +
  'производител|виробник|μάρκα|κατασκευαστής|üretici|מותג|יצרן|العلامة التجارية|الماركة|ブランド|メーカー|品牌|브랜드|제조사|' +
  'kaubamärk|tootja|zīmols|ražotājs|gamintojas|prekės ženklas|thương hiệu|ยี่ห้อ|แบรนด์|merek';
const ALONE = new RegExp(`^(?:${LABELS})\\s*:?$`, 'iu');
const BESIDE = new RegExp(`^(?:${LABELS})\\s*[:：]\\s*(\\S.{0,60})$`, 'iu');
/** What stands beside such a label without being a name. */
const NO_NAME =
  /^(?:[\p{P}\p{S}\d\s]+|n\/?a|all|see more|more|unknown|other|generic|info|https?:.*|www\..*)$/iu;
/** Longest name of a maker. */
const LONGEST = 50;

function isName(text: string): boolean {
  return (
    text.length > 1 &&
    text.length <= LONGEST &&
    !NO_NAME.test(text) &&
    text.split(/\s+/).length <= 6
  );
}

function nameAt(lines: readonly VisibleLine[], index: number): string | null {
  const text = (lines[index]?.text ?? '').trim();
  const beside = BESIDE.exec(text)?.[1]?.trim();
  if (beside !== undefined) return isName(beside) ? beside : null;
  if (!ALONE.test(text)) return null;
  const next = (lines[index + 1]?.text ?? '').trim().replace(/^:\s*/, '');
  return isName(next) && !next.endsWith(':') ? next : null;
}

/** The maker, when all labels that the page shows around its heading name the same; null otherwise. */
export function visibleBrand({ lines }: VisiblePart): string | null {
  let found: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (line.text.length > 120 || (line.marks & (MARK.aside | MARK.option)) !== 0) continue;
    const name = nameAt(lines, index);
    if (name === null) continue;
    if (found !== null && found.toLowerCase() !== name.toLowerCase()) return null;
    found ??= name;
  }
  return found;
}
