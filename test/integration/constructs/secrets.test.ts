/**
 * Secrets are where they were put, and nowhere else: in no other object, no error, no line that a command prints.
 *
 * Each place has its own canary; files and messages are searched for all of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Size } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import {
  AccessCredential,
  CloudInit,
  CloudPart,
  CloudUser,
  DataVolume,
  DataVolumeSource,
  Disk,
  LinuxServer,
  PlatformCertificates,
  PlatformImages,
  PlatformSize,
  Sysprep,
  VirtPlatform,
  VirtualMachine,
  VirtualMachineExport,
  VirtualMachineInstance,
  VirtualMachinePool,
  VirtualMachineReplicaSet,
  ExportSource,
  Windows11,
  WindowsProductKey,
} from '../../../src';
import { bundleInto } from '../cli/bundle';

const CANARY = /CANARY[\w-]*/g;
const PEM = '-----BEGIN OPENSSH PRIVATE KEY-----\nCANARY-pem\n-----END OPENSSH PRIVATE KEY-----';
const folder = mkdtempSync(join(tmpdir(), 'virt8s-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const canariesIn = (text: string): string[] => [...new Set(text.match(CANARY) ?? [])].sort();
const any = (value: unknown): never => value as never;

/** Error and log of a program. */
function said(action: () => unknown): string {
  const heard: string[] = [];
  const listening = (['log', 'info', 'warn', 'error', 'debug'] as const).map((way) =>
    jest.spyOn(console, way).mockImplementation((...all: unknown[]) => void heard.push(all.map(String).join(' '))),
  );
  try {
    action();
  } catch (error) {
    heard.push((error as Error).message, String((error as Error).stack), JSON.stringify(error));
  } finally {
    listening.forEach((spy) => spy.mockRestore());
  }
  return heard.join('\n');
}

interface Written {
  readonly kind: string;
  readonly text: string;
}

/** The objects of an app, as they are written. */
function written(fill: (chart: Chart) => void, name: string): Written[] {
  const app = new App({ outdir: join(folder, name) });
  fill(new Chart(app, 'web'));
  app.synth();
  return readdirSync(app.outdir).flatMap((file) =>
    parseAllDocuments(readFileSync(join(app.outdir, file), 'utf8')).map((document) => ({
      kind: String((document.toJS() as { kind?: unknown }).kind),
      text: String(document),
    })),
  );
}

const guest = { memory: Size.gibibytes(2) };
const os = (): Disk => Disk.containerDisk('registry.example/os:1');

describe('what is written', () => {
  const sensitive: [string, () => CloudInit][] = [
    ['content of a file', () => CloudInit.noCloud({ sensitive: true, writeFiles: [{ path: '/k', content: PEM }] })],
    ['a command', () => CloudInit.configDrive({ sensitive: true, runcmd: ['join --token CANARY-token'] })],
    ['a password', () => CloudInit.noCloud({ sensitive: true, raw: { password: 'CANARY-password' } })],
    ['user data as it is', () => CloudInit.raw('#!/bin/sh\necho root:CANARY-piped | chpasswd\n', { sensitive: true })],
    [
      'a part of several',
      () =>
        CloudInit.multipart([CloudPart.of('text/x-shellscript', '#!/bin/sh\n# CANARY-part\n')], { sensitive: true }),
    ],
    ['the network', () => CloudInit.noCloud({ sensitive: true, runcmd: ['true'], networkConfig: named() })],
    ['more than the VM holds', () => CloudInit.noCloud({ runcmd: [`echo CANARY-large ${'x'.repeat(2_048)}`] })],
  ];
  const guests: [string, (chart: Chart, cloudInit: CloudInit) => unknown][] = [
    ['VirtualMachine', (chart, cloudInit) => new VirtualMachine(chart, 'g', { ...guest, disks: [os()], cloudInit })],
    ['LinuxServer', (chart, cloudInit) => new LinuxServer(chart, 'g', { ...guest, disks: [os()], cloudInit })],
    ['instance', (chart, cloudInit) => new VirtualMachineInstance(chart, 'g', { ...guest, disks: [os()], cloudInit })],
    ['set', (chart, cloudInit) => new VirtualMachineReplicaSet(chart, 'g', { ...guest, disks: [os()], cloudInit })],
    ['pool', (chart, cloudInit) => new VirtualMachinePool(chart, 'g', { ...guest, disks: [os()], cloudInit })],
  ];
  const cases = guests.flatMap(([kind, make]) => sensitive.map(([what, data]) => ({ kind, what, make, data })));

  test.each(cases)('$what of a $kind is in the generated Secret alone', ({ make, data, kind, what }) => {
    const objects = written((chart) => void make(chart, data()), `${kind} ${what}`);
    const holding = objects.filter(({ text }) => canariesIn(text).length > 0 || /CANARY/.test(decoded(text)));
    expect(holding.map((each) => each.kind)).toEqual(['Secret']);
  });

  test('an answer file that is sensitive is in the generated Secret alone', () => {
    const xml = '<unattend xmlns="urn:schemas-microsoft-com:unattend"><!-- CANARY-xml --></unattend>';
    const sysprep = Sysprep.raw(xml, { sensitive: true });
    const objects = written((chart) => new Windows11(chart, 'g', { ...guest, disks: [os()], sysprep }), 'sysprep');
    expect(objects.filter(({ text }) => canariesIn(text).length > 0).map(({ kind }) => kind)).toEqual(['Secret']);
  });

  test('inline user data is written once', () => {
    const cloudInit = CloudInit.noCloud({ runcmd: ['echo CANARY-inline'] });
    const objects = written(
      (chart) => new VirtualMachine(chart, 'g', { ...guest, disks: [os()], cloudInit }),
      'inline',
    );
    expect(objects.map(({ kind, text }) => [kind, text.match(CANARY)])).toEqual([
      ['VirtualMachine', ['CANARY-inline']],
    ]);
  });

  test('an existing Secret is written as a name, without values', () => {
    const secret = any({ name: 'login', data: { key: 'CANARY-data' }, stringData: { password: 'CANARY-string' } });
    const objects = written((chart) => {
      new VirtualMachine(chart, 'g', {
        ...guest,
        disks: [os()],
        cloudInit: CloudInit.fromSecret(secret),
        accessCredentials: [AccessCredential.passwordsByAgent(secret), AccessCredential.sshKeysByAgent(secret, ['me'])],
      });
      const source = DataVolumeSource.http('https://mirror.example/os.qcow2', {
        credentials: secret,
        secretHeaders: [secret],
      });
      new DataVolume(chart, 'd', { source, size: Size.gibibytes(1) });
      const claim = ExportSource.claim({ name: 'disk' });
      new VirtualMachineExport(chart, 'e', { source: claim, tokenSecret: secret } as never);
    }, 'references');
    expect(objects).toHaveLength(3);
    expect(objects.map(({ text }) => canariesIn(text))).toEqual([[], [], []]);
    expect(objects.every(({ text }) => text.includes('login'))).toBe(true);
  });

  test.each([
    ['self-managed', PlatformCertificates.selfManaged()],
    ['of cert-manager', PlatformCertificates.certManager()],
  ])('the platform with %s certificates holds no private key', (name, certificates) => {
    const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' });
    const objects = written(
      (chart) => new VirtPlatform(chart, 'p', { images, certificates, size: PlatformSize.forNodes(3) }),
      `platform ${name}`,
    );
    expect(objects.length).toBeGreaterThan(20);
    const text = objects.map((each) => each.text).join('\n');
    expect(`${text}${decoded(text)}`).not.toMatch(/PRIVATE KEY-----/);
  });
});

describe('what is said', () => {
  const chart = (): Chart => new Chart(new App({ outdir: join(folder, 'never') }), 'web');
  const synth = (fill: (chart: Chart) => unknown) => (): void => {
    const into = chart();
    fill(into);
    (into.node.root as App).synth();
  };
  const vm = (instanceSpec: object) =>
    synth((into) => new VirtualMachine(into, 'g', { ...guest, instanceSpec: any(instanceSpec) }));
  const inline = (source: object): object => ({
    domain: { devices: { disks: [{ name: 'ci', disk: {} }] } },
    volumes: [{ name: 'ci', cloudInitNoCloud: source }],
  });
  const url = (scheme: string): string => `${scheme}://me:CANARY-password@mirror.example/os?signature=CANARY-query`;
  const dataVolume = (source: DataVolumeSource) =>
    synth((into) => new DataVolume(into, 'd', { source, size: Size.gibibytes(1) }));

  test.each<[string, () => unknown]>([
    ['a password in cloud-init', () => CloudInit.noCloud({ raw: { password: 'CANARY' } })],
    [
      'passwords of users',
      () => CloudInit.noCloud({ raw: { chpasswd: { users: [{ name: 'a', password: 'CANARY' }] } } }),
    ],
    ['a list of passwords', () => CloudInit.noCloud({ raw: { chpasswd: { list: 'root:CANARY' } } })],
    ['the hash of a password', () => CloudInit.noCloud({ raw: { users: [{ name: 'a', passwd: '$6$CANARY' }] } })],
    ['a host key', () => CloudInit.noCloud({ raw: { ssh_keys: { rsa_private: PEM } } })],
    ['a key in a file', () => CloudInit.noCloud({ writeFiles: [{ path: '/k', content: PEM }] })],
    ['a key for a user', () => CloudUser.named('me', { sshKeys: [PEM] })],
    ['a password that is piped', () => CloudInit.raw('#!/bin/sh\necho root:CANARY | chpasswd\n')],
    ['user data without a header', () => CloudInit.raw('password: CANARY\n')],
    ['a part without a header', () => CloudPart.shellScript('echo CANARY')],
    [
      'a content of the wrong type',
      () => CloudInit.noCloud({ writeFiles: [{ path: '/k', content: any({ CANARY: 1 }) }] }),
    ],
    ['commands of the wrong type', () => CloudInit.noCloud({ runcmd: any({ CANARY: 'CANARY' }) })],
    [
      'a file whose mode is wrong',
      () => CloudInit.noCloud({ writeFiles: [{ path: 'k', content: 'CANARY', permissions: 'x' }] }),
    ],
    ['raw data of the wrong type', () => CloudInit.noCloud({ sensitive: true, raw: { runcmd: 'CANARY', users: 5 } })],
    [
      'a Wi-Fi password of a broken network',
      () => CloudInit.noCloud({ networkConfig: { ...wifi(), version: 'CANARY' } }),
    ],
    ['a product key', () => WindowsProductKey.own('CANARY-CANARY')],
    ['a broken answer file', () => Sysprep.raw('<unattend><Password><Value>CANARY</Value></Pass>')],
    ['a password in an answer file', () => Sysprep.raw(answers())],
    ['inline user data of the wrong type', vm(inline({ userData: { password: 'CANARY' } }))],
    ['inline user data twice', vm(inline({ userData: 'CANARY', userDataBase64: 'CANARY' }))],
    ['inline user data that is not base64', vm(inline({ userDataBase64: 'CANARY*&^%' }))],
    ['inline user data that is too large', vm(inline({ userData: `CANARY${'x'.repeat(3_000)}` }))],
    ['inline user data under another name', vm(inline({ userDat: 'CANARY' }))],
    ['the URL of a source of an unknown scheme', dataVolume(DataVolumeSource.http(url('ftp')))],
    ['the URL of a source with a password', dataVolume(DataVolumeSource.http(url('https')))],
    ['the URL of a bucket', dataVolume(DataVolumeSource.s3(url('s3x')))],
    ['the URL of an image', dataVolume(DataVolumeSource.registry(url('https')))],
    ['an invalid URL', dataVolume(DataVolumeSource.gcs('https//me:CANARY@a b?CANARY'))],
    [
      'a header',
      dataVolume(
        DataVolumeSource.http('https://mirror.example/os', { extraHeaders: ['Authorization: Bearer CANARY'] }),
      ),
    ],
    ['a URL to include', () => CloudPart.include('CANARY:no url')],
  ])('%s is refused, and not repeated', (_, action) => {
    const text = said(action);
    expect(text).toMatch(/\[[a-z0-9-]+\]/);
    expect(text).not.toMatch(/CANARY/);
  });
});

describe('what the command prints', () => {
  const manifests = `kind: Secret
apiVersion: v1
metadata: { name: login }
stringData:
  password: CANARY-secret
  other: CANARY-other
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: { name: web }
spec:
  runStrategy: Always
  template:
    spec:
      domain: { memory: { guest: 1Gi }, devices: { disks: [{ name: ci, disk: { bus: virtio } }] } }
      volumes:
        - name: ci
          cloudInitNoCloud: { userData: "#cloud-config\\npassword: CANARY-inline\\n" }
---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataVolume
metadata: { name: disk }
spec:
  source:
    http:
      url: https://me:CANARY-password@mirror.example/os?sig=CANARY-query
      extraHeaders: ["Authorization: Bearer CANARY-header"]
  storage: { resources: { requests: { storage: 1Gi } } }
`;
  const files: Record<string, string> = {
    'right.yaml': manifests,
    'changed.yaml': manifests.replace(/CANARY-(\w+)/g, 'CANARY-$1-2'),
    'wrong.yaml': manifests
      .replace('Always', 'Sometimes')
      .replace('userData:', 'userDat:')
      .replace('https:', 'ftp:')
      .replace('["Authorization: Bearer CANARY-header"]', '[{ Authorization: CANARY-header }]'),
    'broken.yaml': manifests.replace('password: CANARY-secret', 'password: "CANARY-secret'),
    'indented.yaml': manifests.replace('  other: CANARY-other', ' other: CANARY-other'),
  };
  let bundle: string;
  beforeAll(async () => {
    bundle = await bundleInto(folder);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  });

  function virt8s(...args: string[]): string {
    const { stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], { cwd: folder, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  }

  test.each<[string[], RegExp]>([
    [['validate', 'right.yaml'], /1 file/],
    [['validate', 'wrong.yaml'], /\[schema-unknown-field\]/],
    [['validate', 'wrong.yaml', '-o', 'json'], /schema-unknown-field/],
    [['validate', 'broken.yaml'], /\[syntax\]/],
    [['validate', 'indented.yaml'], /\[syntax\]/],
    [['render', 'wrong.yaml'], /schema-unknown-field/],
    [['render', 'right.yaml', '--to', 'pod'], /kind: Pod/],
    [['render', 'right.yaml', '--to', 'domain'], /<domain/],
    [['render', 'right.yaml', '--to', 'verdict'], /allowed: true/],
    [['diff', 'changed.yaml', '--against', 'right.yaml'], /3 changed/],
    [['diff', 'changed.yaml', '--against', 'right.yaml', '-o', 'json'], /"hidden"|hidden/],
    [['diff', 'wrong.yaml', '--against', 'right.yaml'], /schema-unknown-field/],
    [['diff', 'broken.yaml', '--against', 'right.yaml'], /syntax|broken/i],
    [['import', 'broken.yaml'], /broken\.yaml/],
    [['graph', 'right.yaml'], /<svg/],
  ])('virt8s %j shows none', (args, want) => {
    const text = virt8s(...args);
    expect(text).toMatch(want);
    expect(canariesIn(text)).toEqual([]);
  });

  test('virt8s render shows the user data of the requested instance, and no Secret', () => {
    expect(canariesIn(virt8s('render', 'right.yaml'))).toEqual(['CANARY-inline']);
  });

  test('virt8s import writes given secrets into the code, and reports it', () => {
    const text = virt8s('import', 'right.yaml', '-o', 'app.ts');
    expect(canariesIn(text)).toEqual([]);
    expect(text).toMatch(/Secret login: its values \(password, other\) are now in the code/);
  });
});

/** A network configuration with a secret host name. */
function named(): Record<string, unknown> {
  return { version: 2, ethernets: { eth0: { dhcp4: true, 'dhcp4-overrides': { hostname: 'CANARY-host' } } } };
}

function wifi(): Record<string, unknown> {
  return {
    version: 2,
    wifis: { wlan0: { dhcp4: true, 'access-points': { home: { password: 'CANARY-wifi' } } } },
  };
}

function answers(): string {
  return `<unattend xmlns="urn:schemas-microsoft-com:unattend"><settings pass="oobeSystem">
    <component name="Microsoft-Windows-Shell-Setup"><UserAccounts><AdministratorPassword>
    <Value>CANARY-admin</Value></AdministratorPassword></UserAccounts></component></settings></unattend>`;
}

/** The decoded base64 parts of a text. */
function decoded(text: string): string {
  return (text.match(/[\w+/]{16,}={0,2}/g) ?? [])
    .map((each) => Buffer.from(each, 'base64').toString('latin1'))
    .join('\n');
}
