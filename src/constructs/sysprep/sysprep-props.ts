import type {
  WindowsAdmin,
  WindowsComponent,
  WindowsDisk,
  WindowsImage,
  WindowsProductKey,
  WindowsRelease,
} from './windows';

/** Answers for Windows' setup at the first boot. */
export interface SysprepProps {
  /** Windows release. */
  readonly release: WindowsRelease;
  /** Administrator account. */
  readonly admin: WindowsAdmin;
  /**
   * Language of the user interface, such as `cs-CZ`. The image must contain it.
   * @default 'en-US'
   */
  readonly language?: string;
  /**
   * Format of dates and numbers, such as `cs-CZ`.
   * @default - the language
   */
  readonly locale?: string;
  /**
   * Keyboard layout: a locale, or language and layout such as `0405:00000405`.
   * @default - the layout of the locale
   */
  readonly keyboard?: string;
  /**
   * Time zone with Windows' name, such as `Central Europe Standard Time`.
   * @default 'UTC'
   */
  readonly timezone?: string;
  /**
   * Name of the machine: up to 15 letters, digits and dashes.
   * @default - a random name
   */
  readonly computerName?: string;
  /**
   * Organization that owns the machine.
   * @default - none
   */
  readonly organization?: string;
  /**
   * Whether the account is logged in once on the console at the first boot, so that the first-logon commands run. Only
   * for a local account. The login uses the empty password: if the guest agent has already set the password from
   * `passwordFrom`, the commands wait until a person logs in.
   * @default - true if there are first-logon commands and a local account
   */
  readonly autoLogon?: boolean;
  /**
   * Whether Remote Desktop is enabled, with network-level authentication, and allowed by the firewall.
   * @default false
   */
  readonly remoteDesktop?: boolean;
  /**
   * Whether PowerShell remoting over WinRM is enabled.
   * @default false
   */
  readonly winRm?: boolean;
  /**
   * Whether the OpenSSH server is installed and started. Releases before Server 2025 download it from Windows Update.
   * @default false
   */
  readonly openSsh?: boolean;
  /**
   * Whether the Windows firewall is on.
   * @default true
   */
  readonly firewall?: boolean;
  /**
   * Whether the guest agent and the drivers are installed from the virtio CD. The VM's condition `AgentConnected`, its
   * reported addresses and passwords from Secrets need the agent.
   * @default true
   */
  readonly guestTools?: boolean;
  /**
   * Drive letters on which the virtio CD may be.
   * @default ['D', 'E', 'F', 'G']
   */
  readonly driveLetters?: string[];
  /**
   * Commands to run as SYSTEM during setup (pass `specialize`), in order. Up to 259 characters each.
   * @default - none
   */
  readonly setupCommands?: string[];
  /**
   * Commands to run at the first logon, in order. Up to 1,024 characters each.
   * @default - none
   */
  readonly firstLogonCommands?: string[];
  /**
   * Additional components of the answer file.
   * @default - none
   */
  readonly components?: WindowsComponent[];
  /**
   * Whether the answer file may contain secrets. It is then stored in a generated Secret instead of a ConfigMap.
   * @default false
   */
  readonly sensitive?: boolean;
}

/** Answers for an installation of Windows from its medium. */
export interface SysprepInstallProps extends SysprepProps {
  /** Image of the medium to install. */
  readonly image: WindowsImage;
  /**
   * Disk to install on.
   * @default WindowsDisk.uefi()
   */
  readonly disk?: WindowsDisk;
  /**
   * Product key. If the medium needs one and it is missing, setup stops and asks for it.
   * @default - none
   */
  readonly productKey?: WindowsProductKey;
  /**
   * Folders of the virtio CD with drivers that setup loads. Without the disk and network drivers, the installation
   * fails.
   * @default ['viostor', 'vioscsi', 'NetKVM', 'vioserial', 'Balloon']
   */
  readonly drivers?: string[];
}
