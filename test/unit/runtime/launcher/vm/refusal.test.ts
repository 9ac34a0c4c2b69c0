import { LibvirtConnectionError, LibvirtError } from '../../../../../src/runtime/launcher/libvirt/errors';
import { refusalOf } from '../../../../../src/runtime/launcher/vm/refusal';
import { conditionOf, endingOf } from '../../../../../src/runtime/launcher/vm/state';

const libvirt = (text: string) => new LibvirtError('domainCreateWithFlags', 'ERR_INTERNAL_ERROR', 'QEMU', text);
const QEMU =
  'internal error: process exited while connecting to monitor: 2026-11-20T14:15:19.296096Z qemu-system-x86_64: ';

test.each([
  [`${QEMU}cannot set up guest memory 'pc.ram': Cannot allocate memory`, 'OutOfMemory', /give the VM less memory/],
  [`${QEMU}Could not write: No space left on device`, 'DiskFull', /free ephemeral storage/],
  [`${QEMU}unsupported machine type 'pc-q35-99'; Unsupported machine type`, 'UnsupportedMachine', /q35/],
])('reports %s with its remedy, in QEMU’s own words', (text, reason, remedy) => {
  const refusal = refusalOf(libvirt(text));
  expect(refusal.reason).toBe(reason);
  expect(refusal.message).toMatch(/^QEMU: /);
  expect(refusal.message).toMatch(remedy);
});

test.each([
  [699, 699],
  [700, 700],
  [701, 700],
])('of %i characters of QEMU, %i are reported, followed by the remedy', (length, reported) => {
  const words = 'No space left on device'.padEnd(length, '!');
  expect(refusalOf(libvirt(words)).message).toBe(`${words.slice(0, reported)}; free ephemeral storage of the node`);
});

test('reports unknown errors unchanged', () => {
  expect(refusalOf(libvirt('something new'))).toMatchObject({
    reason: 'SyncFailed',
    message: 'libvirt: something new [ERR_INTERNAL_ERROR]',
  });
});

test.each([
  ['a guest that powered off', 5, 1, false, 0],
  ['a killed guest that was to be stopped', 5, 2, true, 0],
  ['a guest killed by another process', 5, 2, false, 1],
  ['a crashed guest', 5, 3, false, 1],
  ['a guest that failed', 5, 6, false, 1],
])('%s gives the Pod its exit code', (_, state, reason, asked, exitCode) => {
  expect(endingOf(conditionOf(state, reason), asked).exitCode).toBe(exitCode);
});

test('reports a libvirtd that does not answer, and that it will be restarted', () => {
  expect(refusalOf(new LibvirtConnectionError('libvirt at /x: no connection within 10000 ms'))).toMatchObject({
    reason: 'LibvirtUnavailable',
    message:
      'libvirt at /x: no connection within 10000 ms; virt-handler retries, and libvirtd is restarted if the problem persists',
  });
});
