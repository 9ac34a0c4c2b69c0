import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonTables } from '../../../src/api/reasons';

const src = join(__dirname, '../../../src');
const sources = ['runtime/controller', 'runtime/handler', 'runtime/launcher', 'runtime/operator'].flatMap((room) =>
  readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: `${room}/${file}`, text: readFileSync(join(src, room, file), 'utf8') })),
);
const all = Object.entries(reasonTables).flatMap(([table, entries]) =>
  Object.entries(entries).map(([key, reason]) => [table, key, reason] as const),
);

test.each(all)('%s.%s is one word in CamelCase, as Kubernetes requires', (_, __, reason) =>
  expect(reason).toMatch(/^[A-Z][A-Za-z]{0,127}$/),
);

test.each(all)('%s.%s is written by a component', (table, key, reason) => {
  const spelt = table === 'LauncherReason' ? `'${reason}'` : `${table}.${key}`;
  expect(sources.filter(({ text }) => text.includes(spelt)).length).toBeGreaterThan(0);
});

test('KubeVirt calls these the same', () =>
  expect(all.map(([, , reason]) => reason)).toEqual(
    expect.arrayContaining([
      'SuccessfulCreate',
      'FailedCreate',
      'FailedPvcNotFound',
      'GuestNotRunning',
      'PausedByUser',
      'PausedIOError',
      'DisksNotLiveMigratable',
      'InterfaceNotLiveMigratable',
      'RestartRequired',
      'Started',
      'ShuttingDown',
    ]),
  ));

test('no component spells a reason of the controller or the handler by hand', () => {
  const known = new Set(all.filter(([table]) => table !== 'LauncherReason').map(([, , reason]) => reason as string));
  const found = sources
    .filter(({ file }) => !file.startsWith('runtime/launcher/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/(?<!\w)reason: '(\w+)'/g)]
        .filter(([, reason]) => known.has(reason))
        .map(([each]) => `${file}: ${each}`),
    );
  expect(found).toEqual([]);
});
