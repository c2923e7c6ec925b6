// Recorded answers of the service, used as the OpenAPI document's examples. `npm run docs -- examples` writes them to
// `examples.json`.

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
    /** Null if it has no body, or one that is too long to show. */
    readonly body: string | null;
  };
  readonly status: number;
  /** The documented headers, in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};
