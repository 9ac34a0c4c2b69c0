import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  guestCapabilities,
  hostCapabilities,
  hostModelCpu,
} from '../../../../../src/runtime/launcher/node-capabilities/parse';

/** Answers of libvirt 11.3 and QEMU 10.0 of the launcher image on a machine without KVM, without the parts that are not read. */
const recorded = (name: string): string => readFileSync(join(__dirname, 'recorded', `emulated-${name}.xml`), 'utf8');

/** The parts of an answer on a node with KVM. */
const withKvm = (cpu: string, features = ''): string =>
  `<domainCapabilities><domain>kvm</domain><cpu>${cpu}</cpu><features>${features}</features></domainCapabilities>`;

describe('the answers of a node without KVM', () => {
  test('name the machines and architectures of QEMU, and no TSC, which only KVM reports', () => {
    expect(hostCapabilities(recorded('host'))).toEqual({
      machines: [
        'isapc',
        'microvm',
        'pc',
        'pc-i440fx-10.0',
        'pc-i440fx-9.0',
        'pc-i440fx-9.1',
        'pc-i440fx-9.2',
        'pc-q35-10.0',
        'pc-q35-9.0',
        'pc-q35-9.1',
        'pc-q35-9.2',
        'q35',
        'x-remote',
      ],
      architectures: ['amd64'],
    });
  });

  test('name the models that QEMU emulates completely, the host-model and its features', () => {
    const domain = recorded('domain');
    const { models, features, hostModel, hyperv, security } = guestCapabilities({
      domain,
      features: recorded('features'),
    });
    expect(models).toMatchObject({
      Nehalem: 'Nehalem-v1',
      'Nehalem-v1': null,
      Westmere: 'Westmere-v1',
      qemu64: 'qemu64-v1',
    });
    expect(Object.keys(models)).toHaveLength(36);
    expect(Object.keys(models)).not.toContain('Broadwell');
    expect(hostModel).toMatchObject({ name: 'EPYC', vendor: 'AMD' });
    expect(hostModel!.required).toEqual(expect.arrayContaining(['x2apic', 'hypervisor', 'erms']));
    // what the model has and QEMU cannot emulate
    expect(hostModel!.required).not.toContain('topoext');
    expect(features).toEqual(expect.arrayContaining(['aes', 'avx2', 'x2apic']));
    expect(features).not.toContain('topoext');
    expect(hyperv).toEqual(['spinlocks', 'vendorid']);
    expect(security).toEqual([]);
  });

  test('contain the CPU of host-model in the form of a guest', () => {
    const cpu = hostModelCpu(recorded('domain'))!;
    expect(cpu).toMatch(/^<cpu mode='custom' match='exact'>\s*<model fallback="forbid">EPYC<\/model>/);
    expect(cpu).toContain('<feature policy="disable" name="topoext"/>');
  });
});

test('a model that libvirt rejects is not offered, although QEMU has it', () => {
  const domain = withKvm(
    `<mode name='custom' supported='yes'><model usable='yes'>Opteron_G2</model><model usable='yes'>Penryn</model>` +
      `<model usable='no'>Haswell</model><model usable='unknown'>Skylake-Client</model></mode>`,
  );
  expect(guestCapabilities({ domain, rejected: ['Opteron_G2'] }).models).toEqual({ Penryn: null });
});

test.each<[string, string, object]>([
  [
    'Hyper-V enlightenments have the names of the API',
    `<hyperv supported='yes'><enum name='features'><value>vpindex</value><value>stimer</value></enum></hyperv>`,
    { hyperv: ['vpindex', 'synictimer'] },
  ],
  [
    'a kernel without Hyper-V has no enlightenment',
    `<hyperv supported='no'><enum name='features'><value>vpindex</value></enum></hyperv>`,
    { hyperv: [] },
  ],
  ['SEV without encrypted state', `<sev supported='yes'><maxESGuests>0</maxESGuests></sev>`, { security: ['sev'] }],
  [
    'SEV with encrypted state',
    `<sev supported='yes'><maxESGuests>15</maxESGuests></sev>`,
    { security: ['sev', 'sev-es'] },
  ],
  [
    'SEV-SNP and TDX',
    `<launchSecurity supported='yes'><enum name='sectype'><value>sev-snp</value><value>tdx</value></enum></launchSecurity>`,
    { security: ['sev-snp', 'tdx'] },
  ],
  ['no SEV', `<sev supported='no'><maxESGuests>15</maxESGuests></sev>`, { security: [] }],
])('%s', (_, features, want) => {
  expect(guestCapabilities({ domain: withKvm('', features) })).toMatchObject(want);
});

test.each([
  [`<counter name='tsc' frequency='2893202000' scaling='yes'/>`, { frequency: 2_893_202_000, scalable: true }],
  [`<counter name='tsc' frequency='2893202000' scaling='no'/>`, { frequency: 2_893_202_000, scalable: false }],
  [`<counter name='tsc' frequency='2893202000'/>`, { frequency: 2_893_202_000, scalable: false }],
  [`<counter name='other' frequency='2893202000'/>`, undefined],
])('the TSC of %s', (counter, tsc) => {
  expect(hostCapabilities(`<capabilities><host><cpu>${counter}</cpu></host></capabilities>`).tsc).toEqual(tsc);
});

test('a node without a host-model has none', () => {
  const domain = withKvm(`<mode name='host-model' supported='no'/>`);
  expect(guestCapabilities({ domain }).hostModel).toBeUndefined();
  expect(hostModelCpu(domain)).toBeUndefined();
});

test.each([
  ['', 'libvirt did not return <capabilities>'],
  ['<capabilities>', 'libvirt did not return <capabilities>'],
  ['<other/>', 'libvirt did not return <capabilities>: the root is <other>'],
])('rejects %j', (xml, message) => expect(() => hostCapabilities(xml)).toThrow(message));
