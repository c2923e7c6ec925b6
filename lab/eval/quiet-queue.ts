// Waits until a running service has done what it put on its queue.

/** Rounds in which nothing runs and nothing leaves the queue: what waits there then is to be tried again later. */
const QUIET_ROUNDS = 12;

/** What is fetched behind an answer belongs to the next one. `url`: of a service that shows its metrics. */
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
