// Recorded answers of the service, which are the examples of the OpenAPI document. `npm run docs -- examples` writes them
// to `examples.json`.

/** A call and its answer. */
export type Example = {
  /** `operationId` of its route; null for a call to no route. */
  readonly operation: string | null;
  /** The code of a problem, else any unique name. */
  readonly name: string;
  readonly summary: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Null where it has no body, or one that is too long to be shown. */
    readonly body: string | null;
  };
  readonly status: number;
  /** The headers that the document describes, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};
