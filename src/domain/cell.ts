// One retailer's cell of a barcode as the service shows it (specification: cross-retailer cell; D34, D35).

/** `confirmed`: only rows whose own record ties to the barcode. */
export const IDENTIFIER_MATCHES = ['any', 'confirmed'] as const;
export type IdentifierMatch = (typeof IDENTIFIER_MATCHES)[number];
