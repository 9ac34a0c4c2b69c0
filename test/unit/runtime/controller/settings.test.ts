import { settingsOf, UsageError } from '../../../../src/runtime/controller/settings';

const image = ['--launcher-image', 'launcher:1'];

test('without flags the defaults are those of KubeVirt', () => {
  expect(settingsOf(image)).toEqual({
    kubeconfig: undefined,
    namespace: 'kubevirt',
    launcherImage: 'launcher:1',
    port: 0,
    workers: { vms: 3, vmis: 10, nodes: 3 },
  });
});

test('each flag sets its own value', () => {
  const flags = ['--vm-controller-threads=4', '--vmi-controller-threads=5', '--node-controller-threads=6'];
  expect(settingsOf([...image, ...flags, '--port=8443', '--namespace=x', '--kubeconfig=/f'])).toEqual({
    kubeconfig: '/f',
    namespace: 'x',
    launcherImage: 'launcher:1',
    port: 8443,
    workers: { vms: 4, vmis: 5, nodes: 6 },
  });
  expect(settingsOf(['--help'])).toBe('help');
});

test.each<[string, string, boolean]>([
  ['--vm-controller-threads', '0', false],
  ['--vm-controller-threads', '1', true],
  ['--vmi-controller-threads', '1000', true],
  ['--vmi-controller-threads', '1001', false],
  ['--node-controller-threads', '2.5', false],
  ['--node-controller-threads', '', false],
  ['--node-controller-threads', '1e1', false],
  ['--port', '0', true],
  ['--port', '65535', true],
  ['--port', '65536', false],
  ['--port', '-1', false],
])('%s=%s is accepted: %s', (flag, value, isAccepted) => {
  const read = () => settingsOf([...image, `${flag}=${value}`]);
  if (isAccepted) expect(read).not.toThrow();
  else expect(read).toThrow(new RegExp(`^${flag} ${value.replace('.', '\\.')}: must be a whole number from`));
});

test('an image is required', () => expect(() => settingsOf([])).toThrow(UsageError));
