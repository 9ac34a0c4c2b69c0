import type {
  WindowsAdmin,
  WindowsComponent,
  WindowsDisk,
  WindowsImage,
  WindowsProductKey,
  WindowsRelease,
} from './windows';

/** How Windows is set up at its first boot. */
export interface SysprepProps {
  /** Which Windows it is. */
  readonly release: WindowsRelease;
  /** The account that administrates the machine. */
  readonly admin: WindowsAdmin;
  /**
   * Language of the user interface, such as `cs-CZ`. The image must have it.
   * @default 'en-US'
   */
  readonly language?: string;
  /**
   * How dates, numbers and the like are written, such as `cs-CZ`.
   * @default - that of the language
   */
  readonly locale?: string;
  /**
   * Keyboard: a locale, or language and layout such as `0405:00000405`.
   * @default - that of the locale
   */
  readonly keyboard?: string;
  /**
   * Time zone by Windows' name, such as `Central Europe Standard Time`.
   * @default 'UTC'
   */
  readonly timezone?: string;
  /**
   * Name of the machine: up to 15 letters, digits and dashes.
   * @default - a random one
   */
  readonly computerName?: string;
  /**
   * Whom the machine belongs to.
   * @default - nobody
   */
  readonly organization?: string;
  /**
   * Logs the account in at the first boot, once, on the console; then first-logon commands run. A local account only.
   * It logs in with the empty password: where the guest agent has set that of `passwordFrom` first, the commands wait
   * until a person logs in.
   * @default - true when there are first-logon commands and a local account
   */
  readonly autoLogon?: boolean;
  /**
   * Lets users in by Remote Desktop, with network-level authentication, through the firewall.
   * @default false
   */
  readonly remoteDesktop?: boolean;
  /**
   * Lets PowerShell in by WinRM.
   * @default false
   */
  readonly winRm?: boolean;
  /**
   * Installs and starts the OpenSSH server. Releases before Server 2025 fetch it from Windows Update.
   * @default false
   */
  readonly openSsh?: boolean;
  /**
   * Windows' firewall.
   * @default true
   */
  readonly firewall?: boolean;
  /**
   * Installs the guest agent and the drivers from the virtio CD, as the VM's condition `AgentConnected`, its addresses and
   * passwords from Secrets need it.
   * @default true
   */
  readonly guestTools?: boolean;
  /**
   * Drive letters where the virtio CD may be.
   * @default ['D', 'E', 'F', 'G']
   */
  readonly driveLetters?: string[];
  /**
   * Commands to run as SYSTEM during setup (pass specialize), in order; up to 259 characters each.
   * @default - none
   */
  readonly setupCommands?: string[];
  /**
   * Commands to run when somebody logs on for the first time, in order; up to 1,024 characters each.
   * @default - none
   */
  readonly firstLogonCommands?: string[];
  /**
   * Components of the answer file that no property reaches.
   * @default - none
   */
  readonly components?: WindowsComponent[];
  /**
   * The answer file may hold secrets: it goes into a generated Secret instead of a ConfigMap.
   * @default false
   */
  readonly sensitive?: boolean;
}

/** How Windows is installed from its medium. */
export interface SysprepInstallProps extends SysprepProps {
  /** Which image of the medium. */
  readonly image: WindowsImage;
  /**
   * The disk to install on.
   * @default WindowsDisk.uefi()
   */
  readonly disk?: WindowsDisk;
  /**
   * Product key. Setup stops and asks for one when the medium needs it.
   * @default - none
   */
  readonly productKey?: WindowsProductKey;
  /**
   * Drivers that Setup loads from the virtio CD, by their folders. Those of disk and network are needed to install at all.
   * @default ['viostor', 'vioscsi', 'NetKVM', 'vioserial', 'Balloon']
   */
  readonly drivers?: string[];
}
