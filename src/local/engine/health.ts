import { get } from 'node:https';

const limitMs = 60_000;
const everyMs = 25;

/**
 * Waits until a component responds with 200. The error contains the last failure.
 * @param hopeless returns the reason if waiting longer is useless
 */
export async function untilHealthy(url: string, ca: string, hopeless?: () => string | undefined): Promise<void> {
  for (const until = Date.now() + limitMs; ;) {
    const failure = await ask(url, ca);
    if (failure === undefined) return;
    const reason = hopeless?.();
    if (reason !== undefined) throw new Error(reason);
    if (Date.now() > until) throw new Error(`${url} did not respond within ${limitMs / 1000} s: ${failure}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

function ask(url: string, ca: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { ca, timeout: 2_000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error) => resolve(error.message));
  });
}
