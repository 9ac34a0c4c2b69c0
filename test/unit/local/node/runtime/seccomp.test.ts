import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seccompOf } from '../../../../../src/local/node/runtime/seccomp';
import { runtimeDefaultSeccomp } from '../../../../../src/runtime/host/seccomp';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'virt8s-seccomp-'));
  mkdirSync(join(directory, 'profiles'));
  writeFileSync(join(directory, 'profiles/audit.json'), '{"defaultAction":"SCMP_ACT_LOG"}');
  writeFileSync(join(directory, 'broken.json'), '{');
  symlinkSync('/etc/hostname', join(directory, 'outside.json'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const localhost = (localhostProfile: string) => seccompOf({ type: 'Localhost', localhostProfile }, [], directory);

test('the type of the profile decides', () => {
  expect(seccompOf(undefined, [], directory)).toBeUndefined();
  expect(seccompOf({ type: 'Unconfined' }, [], directory)).toBeUndefined();
  expect(seccompOf({ type: 'RuntimeDefault' }, ['CAP_SYS_TIME'], directory)).toEqual(
    runtimeDefaultSeccomp(['CAP_SYS_TIME']),
  );
  expect(localhost('profiles/audit.json')).toEqual({ defaultAction: 'SCMP_ACT_LOG' });
});

test.each(['none.json', 'broken.json', 'profiles', 'outside.json', '../../../etc/hostname'])(
  'a container does not start without its profile: %s',
  (name) => expect(() => localhost(name)).toThrow(`cannot load seccomp profile "${directory}/${name}"`),
);
