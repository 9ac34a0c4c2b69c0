import { LibvirtClient } from '../../../../src/runtime/launcher/libvirt/client';
import { LibvirtError } from '../../../../src/runtime/launcher/libvirt/errors';
import { cases } from '../../../unit/runtime/launcher/domain/cases';
import { LauncherPod } from './pod';

jest.setTimeout(60_000);

let pod: LauncherPod;
let client: LibvirtClient;

beforeAll(async () => {
  pod = new LauncherPod();
  await pod.start();
  await pod.until('libvirtd', () => pod.files('libvirt').includes('libvirt-sock'));
  client = await LibvirtClient.open(pod.path('libvirt/libvirt-sock'));
});

afterAll(async () => {
  client?.close();
  await pod?.destroy();
});

// KVM cannot be defined where the node has none: those differ from an emulated one in what unit tests see.
test.each(cases.filter(({ name }) => !name.endsWith('-kvm')))(
  'libvirt takes the golden domain $name',
  async ({ render }) => {
    const dom = await client.define(render(), true);
    expect(await client.xml(dom)).toContain('</domain>');
    await client.undefine(dom);
  },
);

test('the schema of libvirt refuses what it does not know', async () => {
  const xml = cases[0]!.render().replace('<devices>', '<devices><teleporter/>');
  await expect(client.define(xml, true)).rejects.toThrow(LibvirtError);
});

test('capabilities of QEMU were baked: asking for them is quick', async () => {
  const began = performance.now();
  await client.domainCapabilities('/usr/bin/qemu-system-x86_64', 'x86_64', 'q35', 'qemu');
  expect(performance.now() - began).toBeLessThan(150);
});
