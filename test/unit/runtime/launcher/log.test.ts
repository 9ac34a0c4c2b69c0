import { log, logAbout } from '../../../../src/runtime/launcher/log';

afterEach(() => jest.restoreAllMocks());

test('lines name the VM in the same fields as those of the other programs, as soon as it is known', () => {
  const lines: Record<string, unknown>[] = [];
  jest.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  logAbout({ uid: 'u1' });
  log('info', 'before');
  logAbout({ namespace: 'web', name: 'db', uid: 'u1' });
  log('warn', 'after', { cause: 'x' });
  expect(lines.map(({ time: _, ...rest }) => rest)).toEqual([
    { level: 'info', component: 'virt-launcher', uid: 'u1', msg: 'before' },
    { level: 'warn', component: 'virt-launcher', vm: 'web/db', uid: 'u1', msg: 'after', cause: 'x' },
  ]);
});
