import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeCapabilities } from '../../../../../src/api/node-capabilities';
import { CapabilitiesFile, parseCapabilities } from '../../../../../src/runtime/handler/node/capabilities';
import { unknownCause } from '../../../../../src/runtime/handler/node/facts';

const none = { models: {}, features: [], hyperv: [], security: [] };
const capabilities: NodeCapabilities = { machines: ['q35'], architectures: ['amd64'], qemu: none };

test('reports why there are no capabilities', () => {
  expect(parseCapabilities(JSON.stringify(capabilities))).toEqual({ capabilities });
  expect(parseCapabilities('{"error":"libvirtd ended with 1: no QEMU"}')).toEqual({
    unknown: 'libvirt could not describe the node: libvirtd ended with 1: no QEMU',
  });
  expect(parseCapabilities('{"machines":["q35"]}')).toEqual({
    unknown: 'the description of the node is that of another version',
  });
});

test('the file is read when it appears and when it is replaced', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'virt8s-capabilities-'));
  const path = join(dir, 'capabilities.json');
  const file = new CapabilitiesFile(path);
  try {
    expect(file.known()).toEqual({ unknown: expect.stringContaining('capabilities.json cannot be read') });
    const changed = new Promise<void>((resolve) => file.onChange(resolve));
    writeFileSync(`${path}.new`, JSON.stringify(capabilities));
    renameSync(`${path}.new`, path);
    await changed;
    expect(file.known()).toEqual({ capabilities });
    writeFileSync(`${path}.new`, JSON.stringify({ ...capabilities, machines: ['pc'] }));
    renameSync(`${path}.new`, path);
    expect(file.known()).toMatchObject({ capabilities: { machines: ['pc'] } });
    writeFileSync(path, '{');
    expect(file.known()).toEqual({ unknown: expect.stringContaining('cannot be read') });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a handler without such a file reports its flag', () => {
  const file = new CapabilitiesFile(undefined);
  expect(file.known()).toEqual({ unknown: 'virt-handler was started without --capabilities-file' });
  file.onChange(() => undefined)();
});

test.each<[string, Parameters<typeof unknownCause>, string | undefined]>([
  ['libvirt failed', [{ unknown: 'it failed' }, true], 'it failed'],
  ['KVM appeared later', [{ capabilities }, true], 'KVM is usable now and was not when libvirt was asked'],
  ['guests are emulated', [{ capabilities }, false], undefined],
  ['everything is known', [{ capabilities: { ...capabilities, kvm: none } }, true], undefined],
])('the cause of missing labels: %s', (_, [known, usesKvm], want) => {
  const cause = unknownCause(known, usesKvm);
  if (want === undefined) expect(cause).toBeUndefined();
  else expect(cause).toContain(want);
});
