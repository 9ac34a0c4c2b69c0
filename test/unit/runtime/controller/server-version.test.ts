import { ServerVersion } from '../../../../src/runtime/controller/server-version';

/** Answers in turn; the last one again and again. */
function serverOf(...answers: (string | Error)[]) {
  const asked: string[] = [];
  const request = async (method: string, path: string) => {
    asked.push(`${method} ${path}`);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return { gitVersion: answer };
  };
  return { asked, client: { request: request as never } };
}

let version: ServerVersion;
let seen: (string | undefined)[];
let errors: unknown[];
function reader(client: { request: never }): ServerVersion {
  seen = [];
  errors = [];
  version = new ServerVersion({
    client,
    onChange: () => seen.push(version.gitVersion),
    onError: (error) => errors.push(error),
  });
  return version;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  version.stop();
  jest.useRealTimers();
});

test('the version is known when the start resolves', async () => {
  const { asked, client } = serverOf('v1.35.0');
  await reader(client).start();
  expect(asked).toEqual(['GET /version']);
  expect(seen).toEqual(['v1.35.0']);
});

test('an upgrade of the server is noticed, and only a change wakes', async () => {
  const { client } = serverOf('v1.34.0', 'v1.34.0', 'v1.35.0');
  await reader(client).start();
  await jest.advanceTimersByTimeAsync(300_000);
  expect(seen).toEqual(['v1.34.0']);
  await jest.advanceTimersByTimeAsync(300_000);
  expect(seen).toEqual(['v1.34.0', 'v1.35.0']);
});

test('retries a server that does not answer with growing delays', async () => {
  const down = new Error('down');
  const { asked, client } = serverOf(down, down, down, 'v1.36.0');
  await reader(client).start();
  expect([version.gitVersion, errors.length]).toEqual([undefined, 1]);
  await jest.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(3);
  await jest.advanceTimersByTimeAsync(4_000);
  expect(seen).toEqual(['v1.36.0']);
});

test('keeps the known version while the server does not answer', async () => {
  const { client } = serverOf('v1.35.0', new Error('down'));
  await reader(client).start();
  await jest.advanceTimersByTimeAsync(300_000);
  expect([version.gitVersion, errors.length, seen]).toEqual(['v1.35.0', 1, ['v1.35.0']]);
});

test('stops also while a request is in progress', async () => {
  const { asked, client } = serverOf('v1.35.0');
  const started = reader(client).start();
  version.stop();
  await started;
  await jest.advanceTimersByTimeAsync(3_000_000);
  expect(asked).toHaveLength(1);
});

test('sends no request after the stop', async () => {
  const { asked, client } = serverOf('v1.35.0');
  await reader(client).start();
  version.stop();
  await jest.advanceTimersByTimeAsync(3_000_000);
  expect(asked).toHaveLength(1);
});
