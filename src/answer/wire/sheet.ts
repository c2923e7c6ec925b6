// The products in a sheet that can be looked up: the answer of POST /console/sheet, for review before anything starts.

/** A listed line of the sheet: `what` was corrected in it, or why it or its cost is left out. */
export type TellingLine = {
  readonly line: number;
  /** The identifier as it is looked up, or as written in the sheet; may be empty. */
  readonly identifier: string;
  readonly what: string;
};

export type SheetAnswer = {
  /** Number of rows in the sheet, without headings and empty rows. */
  readonly rows: number;
  /** The sheet of a workbook that was read; null for other files. */
  readonly sheet: string | null;
  /** The sheets that can be chosen instead: those that the workbook shows. */
  readonly sheets: readonly string[];
  readonly identifier_column: string;
  /** The other columns with codes, the likelier ones first. */
  readonly other_columns: readonly string[];
  /** Null if no column states the cost of an item. */
  readonly cost_column: string | null;
  /** Each product once, in sheet order. `cost` is in the installation's currency, from the first row that names the product. */
  readonly products: readonly { readonly id: string; readonly cost: number | null }[];
  /** Number of rows that repeat a product of an earlier row. */
  readonly repeated: number;
  readonly mended: number;
  readonly left_out: number;
  /** Number of rows whose cost is not used. */
  readonly without_cost: number;
  /** The first lines of each kind. */
  readonly mended_lines: readonly TellingLine[];
  readonly left_out_lines: readonly TellingLine[];
  readonly without_cost_lines: readonly TellingLine[];
  /** Complete sentences on how the file was read that the user should know. */
  readonly remarks: readonly string[];
};
