import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guestLabels, isGuestLabel } from '../../../../../src/runtime/handler/node/guest-labels';
import { guestCapabilities, hostCapabilities } from '../../../../../src/runtime/launcher/node-capabilities/parse';
import { renderMigrationTargetPod } from '../../../../../src/runtime/controller/pod';
import { configured, inputOf, render, stored, withGates } from '../../controller/pod/fixtures';
import type { Change, More } from '../../controller/pod/fixtures';

/**
 * The labels by which virt-controller selects nodes are those that virt-handler writes. The node has the recorded answers of
 * libvirt on a machine without KVM, and those of a node with KVM where a guest needs it.
 */
const recorded = (name: string): string =>
  readFileSync(join(__dirname, '../../launcher/node-capabilities/recorded', `emulated-${name}.xml`), 'utf8');

const emulated = guestCapabilities({ domain: recorded('domain'), features: recorded('features') });
const HYPERV = ['vpindex', 'runtime', 'reset', 'synic', 'stimer', 'frequencies', 'reenlightenment', 'tlbflush', 'ipi'];
const values = (names: readonly string[]): string => names.map((name) => `<value>${name}</value>`).join('');
const kvm = guestCapabilities({
  domain:
    `<domainCapabilities><cpu><mode name='host-model' supported='yes'><model fallback='forbid'>Skylake-Client</model>` +
    `<vendor>Intel</vendor><feature policy='require' name='vmx'/></mode>` +
    `<mode name='custom' supported='yes'><model usable='yes' vendor='Intel'>Haswell</model></mode></cpu>` +
    `<features><sev supported='yes'><maxESGuests>9</maxESGuests></sev>` +
    `<hyperv supported='yes'><enum name='features'>${values(HYPERV)}</enum></hyperv>` +
    `<launchSecurity supported='yes'><enum name='sectype'>${values(['sev', 'sev-snp', 'tdx'])}</enum></launchSecurity>` +
    `</features></domainCapabilities>`,
  features: `<cpu><feature policy='require' name='vmx'/><feature policy='require' name='pcid'/></cpu>`,
});
const capabilities = { ...hostCapabilities(recorded('host')), qemu: emulated, kvm };
const kernel = { realtime: true, ksm: false };
const nodeLabels = (usesKvm: boolean): Record<string, string> =>
  guestLabels({ capabilities, kernel, usesKvm, machines: [] });

/** Selected labels that virt-handler writes, or should. Others come from the kubelet, users and virt-controller. */
const missing = (selector: Record<string, string>, usesKvm: boolean): string[] =>
  Object.entries(selector)
    .filter(([key, value]) => isGuestLabel(key) && nodeLabels(usesKvm)[key] !== value)
    .map(([key]) => key);

const on = { enabled: true };
const hyperv = (): Change => (v) =>
  (v.spec.domain.features = {
    hyperv: {
      ...Object.fromEntries(HYPERV.map((name) => [name === 'stimer' ? 'synictimer' : name, on])),
      evmcs: on,
    },
  });

test.each<[string, boolean, Change, More?]>([
  ['a plain guest, emulated', false, () => {}],
  ['host-model, emulated', false, (v) => (v.spec.domain.cpu = { model: 'host-model' })],
  ['a named model, emulated', false, (v) => (v.spec.domain.cpu = { model: 'Westmere' })],
  ['a feature, emulated', false, (v) => (v.spec.domain.cpu = { features: [{ name: 'aes' }] })],
  ['a named model', true, (v) => (v.spec.domain.cpu = { model: 'Haswell' })],
  ['features', true, (v) => (v.spec.domain.cpu = { features: [{ name: 'vmx', policy: 'require' }, { name: 'pcid' }] })],
  ['Hyper-V, checked strictly', true, hyperv(), { config: withGates('HypervStrictCheck') }],
  ['SEV-ES', true, (v) => (v.spec.domain.launchSecurity = { sev: { policy: { encryptedState: true } } })],
  ['SEV-SNP', true, (v) => (v.spec.domain.launchSecurity = { snp: {} })],
  ['TDX', true, (v) => (v.spec.domain.launchSecurity = { tdx: {} })],
  ['real time', true, (v) => (v.spec.domain.cpu = { realtime: {}, dedicatedCpuPlacement: true })],
  ['another architecture', true, () => {}, { config: withGates('CrossArchitectureVirtualization') }],
])('a node offers what its guest selects: %s', (...[, usesKvm, change, more]) => {
  const selector = render(change, more).spec.nodeSelector!;
  expect(Object.keys(selector).some(isGuestLabel)).toBe(true);
  expect(missing(selector, usesKvm)).toEqual([]);
});

test.each<[string, boolean, Change, string]>([
  [
    'a model that QEMU cannot emulate',
    false,
    (v) => (v.spec.domain.cpu = { model: 'Haswell' }),
    'cpu-model.node.kubevirt.io/Haswell',
  ],
  [
    'a model that its CPU lacks',
    true,
    (v) => (v.spec.domain.cpu = { model: 'Westmere' }),
    'cpu-model.node.kubevirt.io/Westmere',
  ],
  ['SEV without KVM', false, (v) => (v.spec.domain.launchSecurity = { sev: {} }), 'kubevirt.io/sev'],
])('a node does not offer %s', (_, usesKvm, change, label) => {
  expect(missing(render(change, { config: configured({}) }).spec.nodeSelector!, usesKvm)).toEqual([label]);
});

test.each([true, false])('a guest with host-model can move between equal nodes, KVM: %s', (usesKvm) => {
  const selector = renderMigrationTargetPod({
    ...inputOf(stored()),
    migration: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name: 'move', namespace: 'web', uid: 'move-uid' },
      spec: { vmiName: 'fedora' },
    },
    sourcePod: {
      ...render(),
      status: { initContainerStatuses: [{ name: 'volumeroot', imageID: `disk@sha256:${'a'.repeat(64)}` }] },
    },
    sourceNodeLabels: nodeLabels(usesKvm),
  }).spec.nodeSelector!;
  expect(Object.keys(selector).some((key) => key.startsWith('cpu-model-migration.node.kubevirt.io/'))).toBe(true);
  expect(missing(selector, usesKvm)).toEqual([]);
});
