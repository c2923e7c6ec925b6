// What a sheet names that can be looked up: the answer of POST /console/sheet, for a person who looks at it before anything
// begins.

/** A line of the sheet that is listed: `what` was mended in it, or why it is left out. */
export type TellingLine = {
  readonly line: number;
  /** The identifier as it is looked up, or as it stands in the sheet; may be empty. */
  readonly identifier: string;
  readonly what: string;
};

export type SheetAnswer = {
  /** Number of rows of the sheet, without the headings and empty rows. */
  readonly rows: number;
  readonly identifier_column: string;
  /** Null if no column says what an item costs. */
  readonly cost_column: string | null;
  /** Each product once, in the order of the sheet. `cost` is in dollars, from the first row that names the product. */
  readonly products: readonly { readonly id: string; readonly cost: number | null }[];
  /** Number of rows that name a product of an earlier row. */
  readonly repeated: number;
  readonly mended: number;
  readonly left_out: number;
  /** The first lines of each kind. */
  readonly mended_lines: readonly TellingLine[];
  readonly left_out_lines: readonly TellingLine[];
  /** Whole sentences that a person should know about how the file was read. */
  readonly remarks: readonly string[];
};
