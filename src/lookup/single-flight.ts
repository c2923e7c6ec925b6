// One piece of work per name at a time: callers that ask for the same thing share it.

/** `run` starts `work` unless work under that name is under way, which is then shared. */
export function createSingleFlight<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const flying = new Map<string, Promise<T>>();
  return (name, work) => {
    const under = flying.get(name);
    if (under !== undefined) return under;
    const flight = work().finally(() => flying.delete(name));
    flying.set(name, flight);
    return flight;
  };
}
