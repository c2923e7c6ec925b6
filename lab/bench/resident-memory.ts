// Returns the resident memory of a service, as reported by the service.

/** Megabytes. */
export async function residentMb(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1e6;
}
