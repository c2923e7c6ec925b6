// What a sheet names that can be looked up: the answer of POST /console/sheet, for people who look at it before they begin.

/** A line of the sheet that is told apart: `what` was mended of it, or why it is left out. */
export type TellingLine = {
  readonly line: number;
  /** As it is looked up, or as it stands in the sheet; may be empty. */
  readonly identifier: string;
  readonly what: string;
};

export type SheetAnswer = {
  /** Rows of the sheet, without the headings and the empty ones. */
  readonly rows: number;
  readonly identifier_column: string;
  /** Null: no column says what an item costs. */
  readonly cost_column: string | null;
  /** Each product once, in the order of the sheet. `cost`: in dollars, of the first row that names the product. */
  readonly products: readonly { readonly id: string; readonly cost: number | null }[];
  /** Rows that name a product of an earlier row. */
  readonly repeated: number;
  readonly mended: number;
  readonly left_out: number;
  /** The first of both. */
  readonly mended_lines: readonly TellingLine[];
  readonly left_out_lines: readonly TellingLine[];
  /** What a person should know of how the file was read; whole sentences. */
  readonly remarks: readonly string[];
};
