// What POST /console/sheet exchanges: the products of a sheet that can be looked up, for review before anything starts; and a
// table of which it makes a workbook.

/** A cell of the sheet: what it shows, and in a workbook the value and its number format if it is not text. */
export type OwnCell =
  | string
  | { readonly text: string; readonly value: number | boolean; readonly format: number | string };

/** One of the first rows, as it would be looked up. */
export type PreviewRow = {
  readonly line: number;
  readonly cells: readonly string[];
  /** What would be looked up; null if nothing is. */
  readonly id: string | null;
  readonly cost: number | null;
  /** What was corrected, or is wrong. */
  readonly note: string | null;
};

/** The body of POST /console/sheet?write=xlsx. */
export type SheetTable = {
  readonly columns: readonly {
    readonly name: string;
    readonly kind: 'text' | 'own' | 'link' | 'number' | 'money' | 'dollars' | 'percent';
  }[];
  readonly rows: readonly (readonly (OwnCell | number | null)[])[];
  /** Lines for a second tab. */
  readonly notes: readonly string[];
};

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
  /** The names of all columns. */
  readonly columns: readonly string[];
  /** The first rows. */
  readonly preview: readonly PreviewRow[];
  /**
   * Each product once, in sheet order, with its first row. `cost` is in the installation's currency.
   */
  readonly products: readonly {
    readonly id: string;
    readonly cost: number | null;
    readonly cells: readonly OwnCell[];
  }[];
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
