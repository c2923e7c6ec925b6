// Whether the process can take calls: what /readyz answers.

export type Readiness = {
  isReady(): Promise<boolean>;
  /** Not ready from now on. */
  stop(): void;
};

/** `probe` makes a commit, so whoever asks while one is under way waits for the same one. */
export function createReadiness(probe: () => Promise<boolean>): Readiness {
  let isStopping = false;
  let underWay: Promise<boolean> | null = null;
  return {
    isReady: async () => {
      if (isStopping) return false;
      underWay ??= probe().finally(() => {
        underWay = null;
      });
      return (await underWay) && !isStopping;
    },
    stop: () => {
      isStopping = true;
    },
  };
}
