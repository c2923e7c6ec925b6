// Recorded answers of the service, the examples of the OpenAPI document: `examples.json`, made by
// `npm run docs:examples`.

/** A call and its answer. */
export type Example = {
  /** `operationId` of its route; null: no route. */
  readonly operation: string | null;
  /** The code of a problem, else any unique name. */
  readonly name: string;
  readonly summary: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Null: it has none, or one that is too long to be shown. */
    readonly body: string | null;
  };
  readonly status: number;
  /** The headers that the document describes, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};
