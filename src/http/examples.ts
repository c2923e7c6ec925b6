// Recorded answers of the service, the examples of the OpenAPI document: `examples.json`, made by
// `npm run docs:examples`.

/** A call and what it was answered with. */
export type Example = {
  /** `operationId` of its route; null for what belongs to none. */
  readonly operation: string | null;
  /** The code of a problem, else a name of its own. */
  readonly name: string;
  readonly summary: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly status: number;
  /** Those that the document explains, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};
