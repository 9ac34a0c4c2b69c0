import type { VirtualMachineInstance } from '../../../../../src/api';
import * as auxiliary from '../../../../../src/runtime/launcher/domain/auxiliary';
import { channels, consoles, serials } from '../../../../../src/runtime/launcher/domain/consoles';
import type { DomainFacts } from '../../../../../src/runtime/launcher/domain/facts';
import type { Element } from '../../../../../src/runtime/launcher/domain/xml';
import { type Fixture, rendered } from './fixture';

const { balloon, filesystems, redirections, rng, sound, tpm, vsock, watchdog } = auxiliary;
type Concern = (vmi: VirtualMachineInstance, facts: DomainFacts) => Element[];

const sev = { domain: { launchSecurity: { sev: {} } } };
const dog = { name: 'dog', i6300esb: { action: 'poweroff' }, diag288: { action: 'shutdown' } } as const;

test.each<[string, Concern, Fixture, string]>([
  ['no rng unless requested', rng, {}, ''],
  [
    'an rng',
    rng,
    { devices: { rng: {} } },
    "<rng model='virtio-non-transitional'><backend model='random'>/dev/urandom</backend></rng>",
  ],
  [
    'an rng for old guests',
    rng,
    { devices: { rng: {}, useVirtioTransitional: true } },
    "<rng model='virtio-transitional'>",
  ],
  ['an rng of s390x', rng, { devices: { rng: {} }, architecture: 's390x' }, "<rng model='virtio'>"],
  ['an rng under launch security', rng, { devices: { rng: {} }, ...sev }, "<driver iommu='on'/>"],
  ['no watchdog unless requested', watchdog, {}, ''],
  [
    'a watchdog',
    watchdog,
    { devices: { watchdog: dog } },
    "<watchdog model='i6300esb' action='poweroff'><alias name='ua-dog'/></watchdog>",
  ],
  [
    'a watchdog of s390x',
    watchdog,
    { devices: { watchdog: dog }, architecture: 's390x' },
    "<watchdog model='diag288' action='shutdown'>",
  ],
  ['no TPM unless requested', tpm, {}, ''],
  ['no TPM that is off', tpm, { devices: { tpm: { enabled: false, persistent: true } } }, ''],
  ['a TPM', tpm, { devices: { tpm: {} } }, "<tpm model='tpm-tis'><backend type='emulator' version='2.0'/></tpm>"],
  [
    'a TPM that remembers',
    tpm,
    { devices: { tpm: { persistent: true } } },
    "<tpm model='tpm-crb'><backend type='emulator' version='2.0' persistent_state='yes'/></tpm>",
  ],
  ['a sound card', sound, { devices: { sound: { name: 's' } } }, "<sound model='ich9'><alias name='ua-s'/></sound>"],
  ['another sound card', sound, { devices: { sound: { name: 's', model: 'ac97' } } }, "<sound model='ac97'>"],
  ['no vsock without a CID', vsock, { devices: { autoattachVSOCK: true } }, ''],
  [
    'a vsock',
    vsock,
    { status: { VSOCKCID: 7 } },
    "<vsock model='virtio-non-transitional'><cid auto='no' address='7'/></vsock>",
  ],
  ['no redirection unless requested', redirections, {}, ''],
  [
    'four redirections',
    redirections,
    { devices: { clientPassthrough: {} } },
    "<source mode='bind' path='/var/run/kubevirt-private/u/virt-usbredir-3'/></redirdev>",
  ],
  [
    'a file system',
    filesystems,
    { devices: { filesystems: [{ name: 'f', virtiofs: {} }] } },
    "<filesystem type='mount' accessMode='passthrough'>" +
      "<source dir='' socket='/var/run/kubevirt/virtiofs-containers/f.sock'/>" +
      "<target dir='f'/><driver type='virtiofs' queue='1024'/></filesystem>",
  ],
  [
    'a serial port with its log',
    serials,
    {},
    "<log file='/var/run/kubevirt-private/u/virt-serial0-log' append='on'/></serial>",
  ],
  ['a console', consoles, {}, "<console type='pty'><target type='serial' port='0'/></console>"],
  ['no serial port', serials, { devices: { autoattachSerialConsole: false } }, ''],
  ['no console', consoles, { devices: { autoattachSerialConsole: false } }, ''],
  [
    "the agent's channel",
    channels,
    {},
    "<channel type='unix'><target name='org.qemu.guest_agent.0' type='virtio'/></channel>",
  ],
  [
    "the metrics' channel",
    channels,
    { devices: { downwardMetrics: {} } },
    "<source mode='bind' path='/var/run/kubevirt-private/downwardmetrics-channel/downwardmetrics.sock'/>" +
      "<target name='org.github.vhostmd.1' type='virtio'/></channel>",
  ],
])('%s', (_, concern, fixture, want) => {
  const xml = rendered(concern, fixture);
  if (want === '') expect(xml).toBe('');
  else expect(xml).toContain(want);
});

test.each<[string, Fixture, boolean]>([
  ['logged by default', {}, true],
  [
    'not if the cluster disables it',
    { configuration: { virtualMachineOptions: { disableSerialConsoleLog: {} } } },
    false,
  ],
  ['not if the VMI disables it', { devices: { logSerialConsole: false } }, false],
  [
    'if the VMI enables it, with any setting of the cluster',
    {
      devices: { logSerialConsole: true },
      configuration: { virtualMachineOptions: { disableSerialConsoleLog: {} } },
    },
    true,
  ],
])('the serial port is %s', (_, fixture, isLogged) => {
  expect(rendered(serials, fixture).includes('<log ')).toBe(isLogged);
});

describe('the balloon', () => {
  test.each<[string, Fixture, 'on' | 'off']>([
    ['gives back what is free', {}, 'on'],
    [
      'not if the cluster disables it',
      { configuration: { virtualMachineOptions: { disableFreePageReporting: {} } } },
      'off',
    ],
    ['not on hugepages', { domain: { memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } } } }, 'off'],
    ['not with CPUs of its own', { domain: { cpu: { dedicatedCpuPlacement: true } } }, 'off'],
    ['not in real time', { domain: { cpu: { realtime: {} } } }, 'off'],
    [
      'not if an annotation disables it',
      { annotations: { 'kubevirt.io/free-page-reporting-disabled': 'true' } },
      'off',
    ],
  ])('%s', (_, fixture, want) => {
    expect(rendered(balloon, fixture)).toContain(`freePageReporting='${want}'`);
  });

  test('reports its statistics at the configured interval', () => {
    expect(rendered(balloon, { configuration: { memBalloonStatsPeriod: 3 } })).toContain("<stats period='3'/>");
    expect(rendered(balloon, { configuration: { memBalloonStatsPeriod: 0 } })).not.toContain('<stats');
  });

  test('uses the IOMMU under launch security', () => {
    expect(rendered(balloon, sev)).toContain("<driver iommu='on'/>");
  });

  test('is of type none when disabled', () => {
    const devices = { autoattachMemBalloon: false };
    expect(rendered(balloon, { devices })).toBe("<memballoon model='none'/>");
  });
});

test.each<[string, Fixture, RegExp]>([
  ['a watchdog of another architecture', { devices: { watchdog: { name: 'd', diag288: {} } } }, /set i6300esb/],
  ['a watchdog of arm64', { devices: { watchdog: dog }, architecture: 'arm64' }, /arm64 has no watchdog; remove it/],
])('%s is rejected', (_, fixture, message) => {
  expect(() => rendered(watchdog, fixture)).toThrow(message);
});
