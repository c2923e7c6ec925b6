// What is known of a product that may be the page's own, and of the page it stands on. Shapes only: who finds
// the candidates and who doubts them are other files.

import type { PageContext } from './facts.ts';
import type { SchemaNode } from './node.ts';
import type { Offer } from './offers.ts';
import type { NameMatch } from './page-names.ts';

/** What the rest of the page says about what it is. */
export type PageSigns = {
  /** Its headings and titles: the page's product is called like one of them. */
  readonly names: readonly string[];
  /** What the page puts on top of itself: its h1 headings and its tagged title. */
  readonly headlines: readonly string[];
  /** Letters and digits of what the shop is called. */
  readonly shops: ReadonlySet<string>;
  /** OpenGraph calls it a product, or its tags state a price. */
  readonly isTaggedProduct: boolean;
};

export type Candidate = {
  readonly node: SchemaNode;
  readonly title: string;
  /** Letters and digits of the title. */
  readonly name: string;
  readonly isOffered: boolean;
  readonly hasBarcode: boolean;
  /** A number of the shop, the maker or of trade. */
  readonly hasNumbers: boolean;
  readonly offers: readonly Offer[];
  readonly isAddressed: boolean;
  readonly named: NameMatch;
  /** States an address, and it is another page's. */
  readonly isElsewhere: boolean;
};

/** What is asked of a graph: `isStrict` for microdata, where a product must be called like the page. */
export type PageQuestion = {
  readonly context: PageContext;
  readonly signs: PageSigns;
  readonly isStrict: boolean;
};
