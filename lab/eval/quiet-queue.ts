// Waits until a running service has finished its queue.

/** Rounds in which nothing runs and nothing leaves the queue: what is still waiting then is to be retried later. */
const QUIET_ROUNDS = 12;

/** Waits for the queue: follow-up fetches would count for the next answer. `url`: of a service that exposes its metrics. */
export async function quietQueue(url: string): Promise<void> {
  let before = '';
  for (let rounds = 0; rounds < QUIET_ROUNDS;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const jobs = [...text.matchAll(/^openshelf_jobs\{state="(\w+)"[^}]*\} (\d+)/gm)];
    const counts = jobs.map(([, state, count]) => `${state} ${count}`).join();
    rounds = counts.includes('running 0') && counts === before ? rounds + 1 : 0;
    before = counts;
  }
}
