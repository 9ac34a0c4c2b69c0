import { mebibytesOf } from '../storage/size';
import type { SysprepInstallProps, SysprepProps } from './sysprep-props';
import { type WindowsComponent, WindowsDisk } from './windows';
import { element, rawXml, xmlDocument, type XmlElement } from './xml';

/** Answer files. Pure: the same properties give the same text. */

/** Attributes of every component for this architecture. */
const COMPONENT = {
  processorArchitecture: 'amd64',
  publicKeyToken: '31bf3856ad364e35',
  language: 'neutral',
  versionScope: 'nonSxS',
};
const ADD = { 'wcm:action': 'add' };

const component = (name: string, content: readonly (XmlElement | undefined)[]): XmlElement =>
  element('component', content, { name, ...COMPONENT });

const MIB_OF_EFI = 300;
const MIB_OF_MSR = 16;
const MIB_OF_SYSTEM_RESERVED = 500;
const DRIVERS = ['viostor', 'vioscsi', 'NetKVM', 'vioserial', 'Balloon'];
const DRIVES = ['D', 'E', 'F', 'G'];

/** Renders `autounattend.xml`, for an installation from Windows' medium. */
export function renderInstallation(props: SysprepInstallProps): string {
  const passes = [windowsPe(props), ...firstBoot(props)];
  return answerFile(passes, props.components ?? []);
}

/** Renders `unattend.xml`, for an image that sysprep has generalized. */
export function renderFirstBoot(props: SysprepProps): string {
  return answerFile(firstBoot(props), props.components ?? []);
}

interface Pass {
  readonly name: string;
  readonly components: readonly XmlElement[];
}

function answerFile(passes: readonly Pass[], extra: readonly WindowsComponent[]): string {
  const names = [...new Set([...passes.map(({ name }) => name), ...extra.map(({ pass }) => pass.value)])];
  const settings = names.flatMap((name) => {
    const own = passes.filter((pass) => pass.name === name).flatMap(({ components }) => components);
    const theirs = extra
      .filter(({ pass }) => pass.value === name)
      .map((each) => component(each.name, [rawXml(each.xml)]));
    const all = [...own, ...theirs];
    return all.length > 0 ? [element('settings', all, { pass: name })] : [];
  });
  return xmlDocument(
    element('unattend', settings, {
      xmlns: 'urn:schemas-microsoft-com:unattend',
      'xmlns:wcm': 'http://schemas.microsoft.com/WMIConfig/2002/State',
    }),
  );
}

const languageOf = ({ language = 'en-US' }: SysprepProps): string => language;

function locales(props: SysprepProps): XmlElement[] {
  const { locale = languageOf(props), keyboard } = props;
  return [
    element('InputLocale', keyboard ?? locale),
    element('SystemLocale', locale),
    element('UILanguage', languageOf(props)),
    element('UserLocale', locale),
  ];
}

function windowsPe(props: SysprepInstallProps): Pass {
  const { image, productKey, organization } = props;
  const disk = props.disk ?? WindowsDisk.uefi();
  const id = disk._options().disk ?? 0;
  const { key, value } = image._render();
  return {
    name: 'windowsPE',
    components: [
      component('Microsoft-Windows-International-Core-WinPE', [
        element('SetupUILanguage', [element('UILanguage', languageOf(props))]),
        ...locales(props),
      ]),
      ...driverPaths(props),
      component('Microsoft-Windows-Setup', [
        diskConfiguration(disk, id),
        element('ImageInstall', [
          element('OSImage', [
            element('InstallFrom', [element('MetaData', [element('Key', key), element('Value', value)], ADD)]),
            element('InstallTo', [element('DiskID', id), element('PartitionID', disk.isUefi ? 3 : 2)]),
            element('WillShowUI', 'OnError'),
          ]),
        ]),
        element('UserData', [
          productKey && element('ProductKey', [element('Key', productKey._render()), element('WillShowUI', 'OnError')]),
          element('AcceptEula', true),
          organization === undefined ? undefined : element('Organization', organization),
        ]),
      ]),
    ],
  };
}

/** Names each drive on which the CD may be: setup ignores folders that do not exist. */
function driverPaths({ drivers = DRIVERS, driveLetters = DRIVES, release }: SysprepInstallProps): XmlElement[] {
  const paths = driveLetters.flatMap((drive) => drivers.map((name) => `${drive}:\\${name}\\${release.value}\\amd64`));
  if (paths.length === 0) return [];
  const entries = paths.map((path, i) =>
    element('PathAndCredentials', [element('Path', path)], { ...ADD, 'wcm:keyValue': String(i + 1) }),
  );
  return [component('Microsoft-Windows-PnpCustomizationsWinPE', [element('DriverPaths', entries)])];
}

function diskConfiguration(disk: WindowsDisk, id: number): XmlElement {
  const { bootSize, size } = disk._options();
  const windows = size ? element('Size', mebibytesOf('size', size)) : element('Extend', true);
  const ownBoot = bootSize && mebibytesOf('bootSize', bootSize);
  const boot = ownBoot ?? (disk.isUefi ? MIB_OF_EFI : MIB_OF_SYSTEM_RESERVED);
  const ordered = (name: string, parts: XmlElement[][]): XmlElement[] =>
    parts.map((part, i) => element(name, [element('Order', i + 1), ...part], ADD));
  const created = disk.isUefi
    ? [
        [element('Type', 'EFI'), element('Size', boot)],
        [element('Type', 'MSR'), element('Size', MIB_OF_MSR)],
        [element('Type', 'Primary'), windows],
      ]
    : [
        [element('Type', 'Primary'), element('Size', boot)],
        [element('Type', 'Primary'), windows],
      ];
  const formatted = (partition: number, format: string, label: string, ...more: XmlElement[]): XmlElement[] => [
    element('PartitionID', partition),
    element('Format', format),
    element('Label', label),
    ...more,
  ];
  const letter = element('Letter', 'C');
  const modified = disk.isUefi
    ? [formatted(1, 'FAT32', 'System'), [element('PartitionID', 2)], formatted(3, 'NTFS', 'Windows', letter)]
    : [formatted(1, 'NTFS', 'System Reserved', element('Active', true)), formatted(2, 'NTFS', 'Windows', letter)];
  return element('DiskConfiguration', [
    element(
      'Disk',
      [
        element('DiskID', id),
        element('WillWipeDisk', true),
        element('CreatePartitions', ordered('CreatePartition', created)),
        element('ModifyPartitions', ordered('ModifyPartition', modified)),
      ],
      ADD,
    ),
    element('WillShowUI', 'OnError'),
  ]);
}

function firstBoot(props: SysprepProps): Pass[] {
  return [
    { name: 'specialize', components: specialize(props) },
    { name: 'oobeSystem', components: oobe(props) },
  ];
}

function specialize(props: SysprepProps): XmlElement[] {
  const { computerName, timezone, organization, remoteDesktop, firewall = true, setupCommands = [] } = props;
  const commands = [...enableBuiltIn(props), ...atTheEnd(props).map(intoSetupComplete), ...setupCommands];
  return [
    component('Microsoft-Windows-Shell-Setup', [
      element('ComputerName', computerName ?? '*'),
      element('TimeZone', timezone ?? 'UTC'),
      organization === undefined ? undefined : element('RegisteredOrganization', organization),
    ]),
    ...(remoteDesktop
      ? [
          component('Microsoft-Windows-TerminalServices-LocalSessionManager', [element('fDenyTSConnections', false)]),
          component('Microsoft-Windows-TerminalServices-RDP-WinStationExtensions', [element('UserAuthentication', 1)]),
        ]
      : []),
    ...(remoteDesktop || !firewall ? [firewallComponent(firewall)] : []),
    ...(commands.length > 0
      ? [component('Microsoft-Windows-Deployment', [element('RunSynchronous', commands.map(runAtSetup))])]
      : []),
  ];
}

function firewallComponent(on: boolean): XmlElement {
  if (!on) {
    const profiles = ['Domain', 'Private', 'Public'];
    return component(
      'Networking-MPSSVC-Svc',
      profiles.map((profile) => element(`${profile}Profile_EnableFirewall`, false)),
    );
  }
  // the group is referenced by its resource, because its name depends on the language
  const group = [element('Active', true), element('Group', '@FirewallAPI.dll,-28752'), element('Profile', 'all')];
  return component('Networking-MPSSVC-Svc', [
    element('FirewallGroups', [element('FirewallGroup', group, { ...ADD, 'wcm:keyValue': 'RemoteDesktop' })]),
  ]);
}

const runAtSetup = (command: string, i: number): XmlElement =>
  element('RunSynchronousCommand', [element('Order', i + 1), element('Path', command)], ADD);

const powershell = (command: string): string => `powershell.exe -NoProfile -Command "${command}"`;

/**
 * Enables the built-in account, which clients disable. It is found by its SID, because its name depends on the
 * language.
 */
function enableBuiltIn({ admin, release }: SysprepProps): string[] {
  if (!admin.isBuiltIn || release.isServer) return [];
  return [powershell("Get-LocalUser | Where-Object SID -like '*-500' | Enable-LocalUser")];
}

/** Returns lines of a batch file that runs as SYSTEM after setup, before anyone logs on. */
function atTheEnd({ guestTools = true, driveLetters = DRIVES, winRm, openSsh }: SysprepProps): string[] {
  const fromCd = (file: string, run: string): string =>
    `for %%d in (${driveLetters.join(' ')}) do if exist %%d:\\${file} ${run.replace('FILE', `%%d:\\${file}`)}`;
  return [
    ...(guestTools
      ? [
          fromCd('virtio-win-gt-x64.msi', 'msiexec /i FILE /qn /norestart'),
          fromCd('guest-agent\\qemu-ga-x86_64.msi', 'msiexec /i FILE /qn /norestart'),
        ]
      : []),
    ...(winRm ? [powershell('Enable-PSRemoting -Force -SkipNetworkProfileCheck')] : []),
    ...(openSsh
      ? [
          powershell('Add-WindowsCapability -Online -Name OpenSSH.Server~~~~0.0.1.0'),
          powershell('Set-Service sshd -StartupType Automatic -Status Running'),
        ]
      : []),
  ];
}

/** Windows runs SetupComplete.cmd in this folder after setup; each line is appended to that file. */
const SETUP_COMPLETE = '%WINDIR%\\Setup\\Scripts';

function intoSetupComplete(line: string): string {
  return `cmd.exe /c "md ${SETUP_COMPLETE} 2>nul & echo ${line}>>${SETUP_COMPLETE}\\SetupComplete.cmd"`;
}

function oobe(props: SysprepProps): XmlElement[] {
  const { admin, firstLogonCommands = [] } = props;
  const autoLogon = props.autoLogon ?? (firstLogonCommands.length > 0 && !admin.isBuiltIn);
  // an empty password, which Windows accepts only on the console
  const noPassword = element('Password', [element('Value', ''), element('PlainText', true)]);
  return [
    component('Microsoft-Windows-International-Core', locales(props)),
    component('Microsoft-Windows-Shell-Setup', [
      element('OOBE', [
        element('HideEULAPage', true),
        element('HideOEMRegistrationScreen', true),
        element('HideOnlineAccountScreens', true),
        element('HideWirelessSetupInOOBE', true),
        element('ProtectYourPC', 3),
        // otherwise Windows asks for a password for the built-in account
        ...(admin.isBuiltIn ? [element('SkipMachineOOBE', true), element('SkipUserOOBE', true)] : []),
      ]),
      admin.isBuiltIn
        ? undefined
        : element('UserAccounts', [
            element('LocalAccounts', [
              element(
                'LocalAccount',
                [
                  noPassword,
                  element('DisplayName', admin.name),
                  element('Group', 'Administrators'),
                  element('Name', admin.name),
                ],
                ADD,
              ),
            ]),
          ]),
      autoLogon
        ? element('AutoLogon', [
            noPassword,
            element('Enabled', true),
            element('LogonCount', 1),
            element('Username', admin.name),
          ])
        : undefined,
      firstLogonCommands.length > 0
        ? element(
            'FirstLogonCommands',
            firstLogonCommands.map((command, i) =>
              element(
                'SynchronousCommand',
                [element('Order', i + 1), element('CommandLine', command), element('RequiresUserInput', false)],
                ADD,
              ),
            ),
          )
        : undefined,
    ]),
  ];
}
