// A finding of openshelf doctor.

/** `lacking`: it works, but could do more. `failed`: it does not work. */
export type Finding = {
  readonly what: string;
  readonly state: 'ok' | 'lacking' | 'failed';
  readonly detail: string;
  /** What to do; absent if nothing has to be done. */
  readonly change?: string;
  readonly settings?: readonly string[];
};
