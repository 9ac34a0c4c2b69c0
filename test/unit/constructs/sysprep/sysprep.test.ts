import { join } from 'node:path';
import { DOMParser, type Element } from '@xmldom/xmldom';
import { Testing } from 'cdk8s';
import {
  Firmware,
  Sysprep,
  SysprepInstallProps,
  WindowsAdmin,
  WindowsDisk,
  WindowsImage,
  WindowsPass,
  WindowsProductKey,
  WindowsRelease,
} from '../../../../src';
import { element, escapeXml, xmlDocument } from '../../../../src/constructs/sysprep/xml';
import { expectGolden } from '../../../support/golden';
import { instanceSpec, mistakeOf, testChart, testVm } from '../fixtures';
import { cases } from './cases';

const WCM = 'http://schemas.microsoft.com/WMIConfig/2002/State';
const files = (sysprep: Sysprep) => sysprep._secretData() ?? sysprep._configData() ?? {};
const parse = (xml: string) =>
  new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(xml, 'text/xml');
const all = (xml: string, name: string): Element[] => [...parse(xml).getElementsByTagName(name)];
const texts = (xml: string, name: string): string[] => all(xml, name).map((found) => found.textContent ?? '');

describe.each(Object.keys(cases))('%s', (name) => {
  const [file, xml] = Object.entries(files(cases[name]()))[0];

  // Update with: UPDATE_GOLDENS=1 npm test -- test/unit/constructs/sysprep
  test('is its golden', () => {
    expectGolden(join(__dirname, 'goldens', `${name}.${file}`), xml);
  });

  test('is well-formed, and every component is one that Windows finds', () => {
    const root = parse(xml).documentElement;
    expect([root?.localName, root?.namespaceURI]).toEqual(['unattend', 'urn:schemas-microsoft-com:unattend']);
    for (const component of all(xml, 'component')) {
      expect(component.getAttribute('processorArchitecture')).toBe('amd64');
      expect(component.getAttribute('publicKeyToken')).toBe('31bf3856ad364e35');
      expect(component.getAttribute('versionScope')).toBe('nonSxS');
    }
  });

  test('is read in the order of the passes, each once', () => {
    const passes = all(xml, 'settings').map((settings) => settings.getAttribute('pass'));
    expect(new Set(passes).size).toBe(passes.length);
  });

  test('adds every item of a list, in order', () => {
    const items = ['RunSynchronousCommand', 'SynchronousCommand', 'CreatePartition', 'ModifyPartition'];
    for (const item of items) {
      const found = all(xml, item);
      expect(found.map((each) => each.getAttributeNS(WCM, 'action'))).toEqual(found.map(() => 'add'));
      const orders = found.map((each) => each.getElementsByTagName('Order')[0].textContent);
      expect(orders).toEqual(found.map((_, i) => String(i + 1)));
    }
  });

  test('has commands that are no longer than Windows takes, and no password', () => {
    for (const command of all(xml, 'RunSynchronousCommand')) {
      expect(command.getElementsByTagName('Path')[0].textContent?.length).toBeLessThanOrEqual(259);
    }
    for (const password of all(xml, 'Password')) {
      expect(password.getElementsByTagName('Value')[0].textContent).toBe('');
    }
    expect(all(xml, 'AdministratorPassword')).toEqual([]);
  });
});

const least = (more: Partial<SysprepInstallProps> = {}): SysprepInstallProps => ({
  release: WindowsRelease.WINDOWS_11,
  image: WindowsImage.index(1),
  admin: WindowsAdmin.local('ops'),
  ...more,
});
const xmlOf = (more: Partial<SysprepInstallProps> = {}) => Object.values(files(Sysprep.install(least(more))))[0];

test.each<[string, Partial<SysprepInstallProps>, string, string[]]>([
  ['Windows is on the third partition of a GPT', {}, 'PartitionID', ['1', '2', '3', '3']],
  ['and on the second of an MBR', { disk: WindowsDisk.bios() }, 'PartitionID', ['1', '2', '2']],
  ['the last partition takes what is left', {}, 'Extend', ['true']],
  ['unless it has a size', { disk: WindowsDisk.uefi({ disk: 2 }) }, 'DiskID', ['2', '2']],
  ['the name is a random one', {}, 'ComputerName', ['*']],
  ['the time zone is UTC', {}, 'TimeZone', ['UTC']],
  ['the language is that of most media', {}, 'UILanguage', ['en-US', 'en-US', 'en-US']],
  ['formats may be those of another place', { locale: 'cs-CZ' }, 'UserLocale', ['cs-CZ', 'cs-CZ']],
  ['which changes no texts', { locale: 'cs-CZ' }, 'UILanguage', ['en-US', 'en-US', 'en-US']],
  ['formats follow the language', { language: 'cs-CZ' }, 'UserLocale', ['cs-CZ', 'cs-CZ']],
  ['nobody is logged in', {}, 'LogonCount', []],
  ['first-logon commands need a logon', { firstLogonCommands: ['x'] }, 'LogonCount', ['1']],
  ['unless that is not wanted', { firstLogonCommands: ['x'], autoLogon: false }, 'LogonCount', []],
  ['a client is asked nothing about an account', {}, 'SkipMachineOOBE', []],
  [
    'a machine with the built-in account skips questions',
    { admin: WindowsAdmin.builtIn() },
    'SkipMachineOOBE',
    ['true'],
  ],
  ['Remote Desktop is off', {}, 'fDenyTSConnections', []],
  ['Remote Desktop is on', { remoteDesktop: true }, 'fDenyTSConnections', ['false']],
  ['through the firewall', { remoteDesktop: true }, 'Group', ['@FirewallAPI.dll,-28752', 'Administrators']],
  ['the firewall is off', { firewall: false }, 'PublicProfile_EnableFirewall', ['false']],
])('%s', (_, props, name, want) => expect(texts(xmlOf(props), name)).toEqual(want));

test('drivers are looked for on each drive, in the folder of the release', () => {
  const xml = xmlOf({ drivers: ['viostor'], driveLetters: ['D', 'E'] });
  const paths = texts(xml, 'DriverPaths')[0]
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  expect(paths).toEqual(['D:\\viostor\\w11\\amd64', 'E:\\viostor\\w11\\amd64']);
});

test('the guest agent is installed when setup is done, as SYSTEM', () => {
  const [tools, agent] = texts(xmlOf(), 'Path').filter((path) => path.includes('SetupComplete'));
  expect(tools).toContain('virtio-win-gt-x64.msi');
  expect(agent).toBe(
    'cmd.exe /c "md %WINDIR%\\Setup\\Scripts 2>nul & echo for %%d in (D E F G) do if exist %%d:\\guest-agent\\qemu-ga-x86_64.msi msiexec /i %%d:\\guest-agent\\qemu-ga-x86_64.msi /qn /norestart>>%WINDIR%\\Setup\\Scripts\\SetupComplete.cmd"',
  );
  expect(xmlOf({ guestTools: false })).not.toContain('SetupComplete');
});

test('with as many drives as are allowed, our own commands still fit', () => {
  const xml = xmlOf({ driveLetters: [...'DEFGHIJKLMNO'], drivers: [], winRm: true, openSsh: true });
  for (const path of texts(xml, 'Path')) expect(path.length).toBeLessThanOrEqual(259);
});

const password = (content: string) =>
  `<unattend xmlns="urn:schemas-microsoft-com:unattend"><settings pass="x"><a>${content}</a></settings></unattend>`;
const own = 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';

describe('a mistake names the property', () => {
  const install = (more: Partial<SysprepInstallProps>) => () => Sysprep.install(least(more));
  test.each<[string, () => unknown, string]>([
    [
      'computer name',
      install({ computerName: 'much-too-long-for-netbios' }),
      'Sysprep.install: computerName: is not a valid name of a Windows machine\n  use 1 to 15 letters, digits and dashes, not only digits [sysprep-computer-name]',
    ],
    [
      'computer name of digits',
      install({ computerName: '123' }),
      'Sysprep.install: computerName: is not a valid name of a Windows machine\n  use 1 to 15 letters, digits and dashes, not only digits [sysprep-computer-name]',
    ],
    [
      'time zone of the tz database',
      install({ timezone: 'Europe/Prague' }),
      "Sysprep.install: timezone: is not a time zone of Windows\n  write Windows' own name, as tzutil /l lists them: Central Europe Standard Time [sysprep-timezone]",
    ],
    [
      'locale',
      install({ locale: 'english' }),
      'Sysprep.install: locale: is not a locale\n  write it like en-US [sysprep-locale]',
    ],
    [
      'keyboard',
      install({ keyboard: 'qwertz' }),
      'Sysprep.install: keyboard: is not a keyboard layout\n  write a locale, or 0409:00000409 [sysprep-keyboard]',
    ],
    [
      'long command',
      install({ setupCommands: ['a', 'x'.repeat(260)] }),
      'Sysprep.install: setupCommands[1]: has 260 characters, but at most 259 are allowed\n  call a script from a CD (Disk.configMap) [sysprep-command]',
    ],
    [
      'command with a control character',
      install({ firstLogonCommands: ['a\u0001'] }),
      'Sysprep.install: firstLogonCommands[0]: has a character that XML does not allow\n  remove the character [sysprep-text]',
    ],
    [
      'half of a character',
      install({ organization: '\ud800' }),
      'Sysprep.install: organization: has a character that XML does not allow\n  remove the character [sysprep-text]',
    ],
    [
      'drive',
      install({ driveLetters: ['D:'] }),
      'Sysprep.install: driveLetters[0]: is not a drive letter\n  write one letter, without a colon [sysprep-drive]',
    ],
    [
      'local account on a server',
      install({ release: WindowsRelease.SERVER_2025 }),
      'Sysprep.install: admin: a Windows server rejects a local account without a password\n  use WindowsAdmin.builtIn() [sysprep-admin]',
    ],
    [
      'logon of the built-in account',
      install({ admin: WindowsAdmin.builtIn(), autoLogon: true }),
      'Sysprep.install: autoLogon: requires a local account: the password of the built-in account is not known during setup\n  use WindowsAdmin.local(…), or setupCommands [sysprep-auto-logon]',
    ],
    [
      'product key of one’s own',
      install({ productKey: WindowsProductKey.own(own) }),
      'Sysprep.install: productKey: would be readable in the manifest\n  set sensitive: true, which stores the answer file in a generated Secret; or use a published key [sysprep-product-key]',
    ],
    [
      'component in a component',
      install({ components: [{ pass: WindowsPass.SPECIALIZE, name: 'X', xml: '<component/>' }] }),
      'Sysprep.install: components[0].xml: is not the content of a component\n  write only the content of <component>, without declarations [sysprep-component]',
    ],
    [
      'password in a component',
      install({
        components: [
          { pass: WindowsPass.SPECIALIZE, name: 'X', xml: '<Credentials><Password>hunter2</Password></Credentials>' },
        ],
      }),
      'Sysprep.install: components[0].xml: contains a password\n  name a Secret in WindowsAdmin.builtIn({ passwordFrom }), set sensitive: true, or use Sysprep.fromSecret [sysprep-password]',
    ],
    [
      'two at once',
      install({ locale: 'x', computerName: '' }),
      'Sysprep.install: 2 mistakes\nSysprep.install: computerName: is not a valid name of a Windows machine\n  use 1 to 15 letters, digits and dashes, not only digits [sysprep-computer-name]\nSysprep.install: locale: is not a locale\n  write it like en-US [sysprep-locale]',
    ],
    [
      'account name',
      () => WindowsAdmin.local('a/b'),
      'WindowsAdmin.local: name: is not a valid name of a local account\n  use up to 20 letters, digits, dashes and underscores; for the built-in account, use WindowsAdmin.builtIn() [sysprep-account]',
    ],
    [
      'image number',
      () => WindowsImage.index(0),
      'WindowsImage.index: index: is not the number of an image\n  use a whole number from 1 [sysprep-image]',
    ],
    [
      'disk number',
      () => WindowsDisk.uefi({ disk: -1 }),
      'WindowsDisk.uefi: disk: is not the number of a disk\n  use a whole number from 0 [sysprep-disk]',
    ],
    [
      'product key',
      () => WindowsProductKey.own('hunter2'),
      'WindowsProductKey.own: key: is not a product key\n  write five groups of five letters and digits [sysprep-key]',
    ],
    [
      'text that is not an answer file',
      () => Sysprep.raw('<x/>'),
      'Sysprep.raw: xml: is not an answer file of Windows\n  begin with the root element <unattend xmlns="urn:schemas-microsoft-com:unattend"> [sysprep-root]',
    ],
    [
      'answer file with a password',
      () => Sysprep.raw(password('<AdministratorPassword><Value>hunter2</Value></AdministratorPassword>')),
      'Sysprep.raw: xml: contains a password\n  name a Secret in WindowsAdmin.builtIn({ passwordFrom }), set sensitive: true, or use Sysprep.fromSecret [sysprep-password]',
    ],
    [
      'encoded password',
      () => Sysprep.raw(password('<Password><Value>aHVudGVyMg==</Value><PlainText>false</PlainText></Password>')),
      'Sysprep.raw: xml: contains a password\n  name a Secret in WindowsAdmin.builtIn({ passwordFrom }), set sensitive: true, or use Sysprep.fromSecret [sysprep-password]',
    ],
    [
      'answer file with a product key',
      () => Sysprep.raw(password(`<Key>${own}</Key>`)),
      'Sysprep.raw: xml: contains a product key that is not published\n  set sensitive: true, or use Sysprep.fromSecret [sysprep-product-key]',
    ],
  ])('%s', (_, action, text) => {
    const message = mistakeOf(action);
    expect(message).toBe(text);
    expect(message).not.toMatch(/hunter2|aHVudGVyMg|AAAAA-/);
  });

  test.each([
    ['an empty password', '<Password><Value></Value><PlainText>true</PlainText></Password>'],
    ['an empty password, closed', '<AdministratorPassword><Value/></AdministratorPassword>'],
    ['a published key', '<Key>W269N-WFGWX-YVC9B-4J6C9-T83GX</Key>'],
  ])('%s is not a password', (_, content) =>
    expect(mistakeOf(() => Sysprep.raw(password(content)))).toBe('nothing was thrown'),
  );
});

test.each<[string, Sysprep, object, string | undefined]>([
  [
    'stores files without secrets in a ConfigMap',
    Sysprep.install(least()),
    { configMap: { name: 'made' } },
    'configMap',
  ],
  [
    'stores sensitive files in a Secret',
    Sysprep.install(least({ sensitive: true })),
    { secret: { name: 'made' } },
    'secret',
  ],
  [
    'a key of one’s own, too',
    Sysprep.install(least({ sensitive: true, productKey: WindowsProductKey.own(own) })),
    { secret: { name: 'made' } },
    'secret',
  ],
  ['an answer file as it is', Sysprep.raw(password('')), { configMap: { name: 'made' } }, 'configMap'],
  ['an existing Secret is used', Sysprep.fromSecret({ name: 's' }), { secret: { name: 's' } }, undefined],
  ['an existing ConfigMap is used', Sysprep.fromConfigMap({ name: 'c' }), { configMap: { name: 'c' } }, undefined],
])('%s', (_, sysprep, want, kind) => {
  expect(sysprep._renderVolume('x', kind ? { name: 'made' } : undefined)).toEqual({ name: 'x', sysprep: want });
  expect([sysprep._secretData() !== undefined, sysprep._configData() !== undefined]).toEqual([
    kind === 'secret',
    kind === 'configMap',
  ]);
  expect(sysprep._checksum()).toEqual(kind ? expect.stringMatching(/^[0-9a-f]{16}$/) : undefined);
});

test('the checksum follows the file alone', () => {
  const of = (computerName: string) => Sysprep.install(least({ computerName }))._checksum();
  expect(of('a')).toBe(of('a'));
  expect(of('a')).not.toBe(of('b'));
});

test('a disk layout that the firmware of the VM does not boot is a mistake', () => {
  const chart = testChart();
  testVm({ sysprep: Sysprep.install(least()) }, chart);
  expect(() => Testing.synth(chart)).toThrow('sysprep-firmware');
});

test('a VM gets a CD with what was generated, and a secret is nowhere else', () => {
  const chart = testChart();
  const sysprep = Sysprep.install(least({ sensitive: true, productKey: WindowsProductKey.own(own) }));
  const vm = testVm({ sysprep, firmware: Firmware.efi() }, chart);
  const { volumes } = instanceSpec(vm);
  const objects = Testing.synth(chart) as { kind: string; metadata: { name: string } }[];
  const secret = objects.find(({ kind }) => kind === 'Secret');
  expect(volumes).toContainEqual({ name: 'sysprep', sysprep: { secret: { name: secret?.metadata.name } } });
  expect(JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'))).not.toContain(own);
});

test.each([
  ['text', element('a', '<b> & "c"'), '<a>&lt;b&gt; &amp; &quot;c&quot;</a>\n'],
  ['attributes', element('a', 'x', { b: '"<' }), '<a b="&quot;&lt;">x</a>\n'],
  ['numbers and truth', element('a', [element('b', 1), element('c', true)]), '<a>\n  <b>1</b>\n  <c>true</c>\n</a>\n'],
  ['nothing', element('a', [undefined]), '<a/>\n'],
])('XML: %s', (_, tree, want) => {
  expect(xmlDocument(tree)).toBe(`<?xml version="1.0" encoding="utf-8"?>\n${want}`);
});

test('what is escaped is read as it was', () => {
  const text = `<>&"' ]]> ü 日本 \t`;
  expect(parse(`<a>${escapeXml(text)}</a>`).documentElement?.textContent).toBe(text);
});

describe('an installation of one release', () => {
  const install = (release: WindowsRelease, image: WindowsImage, productKey?: WindowsProductKey) => () =>
    Sysprep.install({
      release,
      image,
      productKey,
      admin: release.isServer ? WindowsAdmin.builtIn() : WindowsAdmin.local('ops'),
    });
  const { WINDOWS_10, WINDOWS_11, SERVER_2022, SERVER_2025 } = WindowsRelease;
  const named = (name: string): WindowsImage => WindowsImage.named(name);

  test.each<[string, () => unknown, string]>([
    [
      'accepts its image',
      install(WINDOWS_11, named('Windows 11 Pro'), WindowsProductKey.KMS_PRO),
      'nothing was thrown',
    ],
    ['accepts an image by number', install(WINDOWS_11, WindowsImage.index(1)), 'nothing was thrown'],
    ['accepts an image of another name', install(WINDOWS_11, named('Golden image 10')), 'nothing was thrown'],
    [
      'reports an image of another release',
      install(WINDOWS_11, named('Windows 10 Pro')),
      'image: is an image of Windows 10',
    ],
    [
      'reports an image of another server',
      install(SERVER_2025, named('Windows Server 2022 SERVERSTANDARD')),
      'image: is an image of Windows Server 2022, and the release is Windows Server 2025',
    ],
    [
      'accepts a key of Windows 10 and 11',
      install(WINDOWS_10, named('Windows 10 Pro'), WindowsProductKey.KMS_PRO),
      'nothing',
    ],
    [
      'reports a key of a server',
      install(WINDOWS_11, WindowsImage.index(1), WindowsProductKey.KMS_SERVER_2022_STANDARD),
      'productKey: is not a key of Windows 11',
    ],
    [
      'reports a key of another server',
      install(SERVER_2025, WindowsImage.index(1), WindowsProductKey.KMS_SERVER_2022_STANDARD),
      'productKey: is not a key of Windows Server 2025',
    ],
    [
      'reports a key of a client',
      install(SERVER_2022, WindowsImage.index(1), WindowsProductKey.KMS_PRO),
      'productKey: is not a key',
    ],
    [
      'accepts a key of the server',
      install(SERVER_2022, WindowsImage.index(1), WindowsProductKey.KMS_SERVER_2022_STANDARD),
      'nothing',
    ],
    [
      'accepts any published key that is not a constant',
      install(SERVER_2022, WindowsImage.index(1), WindowsProductKey.published('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE')),
      'nothing',
    ],
  ])('%s', (_, make, want) => expect(mistakeOf(make)).toContain(want));
});
