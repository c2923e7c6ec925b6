// The one way a database fails for its callers: it could not be asked, whatever they asked. Mistakes in a
// statement or a broken constraint are ordinary errors (bugs), not this.

/** The database is away, locked, full or closed. Nothing of the rejected unit was written, or its fate is unknown. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
