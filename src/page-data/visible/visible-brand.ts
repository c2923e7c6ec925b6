// The maker that a page names beside a label: "Výrobca: Acme", a row of a table, a link to the pages of a brand.

import { isMakerName } from '../maker-name.ts';
import { labelOfWords, valuesBeside } from './labelled-values.ts';
import type { VisiblePart } from './visible-lines.ts';

const LABEL = labelOfWords(
  'brand|brand name|maker|manufacturer|marke|hersteller|marque|fabricant|marca|fabricante|fabbricante|produttore|merk|fabrikant|' +
    'märke|varumärke|tillverkare|merke|produsent|mærke|producent|fabrikant|merkki|valmistaja|tuotemerkki|marka|producent|' +
    'značka|výrobce|výrobca|márka|gyártó|marcă|marca|producător|brend|proizvođač|znamka|proizvajalec|бренд|марка|производитель|' +
    'производител|виробник|μάρκα|κατασκευαστής|üretici|מותג|יצרן|العلامة التجارية|الماركة|ブランド|メーカー|品牌|브랜드|제조사|' +
    'kaubamärk|tootja|zīmols|ražotājs|gamintojas|prekės ženklas|thương hiệu|ยี่ห้อ|แบรนด์|merek',
);
/** What stands beside such a label without being a name. */
const NO_NAME = /^(?:[\p{P}\p{S}\d\s]+|all|see more|more|info)$/iu;
/** Longest name of a maker. */
const LONGEST = 50;

function isName(text: string): boolean {
  return (
    text.length > 1 &&
    text.length <= LONGEST &&
    isMakerName(text) &&
    !NO_NAME.test(text) &&
    text.split(/\s+/).length <= 6
  );
}

/** The maker, when all labels that the page shows around its heading name the same; null otherwise. */
export function visibleBrand({ lines }: VisiblePart): string | null {
  const names = valuesBeside(lines, LABEL, (text) => (isName(text) ? text : null));
  const [first = null, ...others] = names;
  const isSame = (name: string): boolean => name.toLowerCase() === first?.toLowerCase();
  return others.every(isSame) ? first : null;
}
