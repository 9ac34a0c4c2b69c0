import { publicKeyProblem } from '../../api/cloud-init/ssh-key';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** Options of a guest's user. */
export interface CloudUserOptions {
  /**
   * Public ssh keys of the user, one line each, as in `authorized_keys`.
   * @default - none
   */
  readonly sshKeys?: string[];
  /**
   * Accounts whose public keys cloud-init fetches: `gh:name` from GitHub, `lp:name` from Launchpad.
   * @default - none
   */
  readonly sshImportIds?: string[];
  /**
   * Whether the user can become root without a password.
   * @default - true, unless the user is root, a system user, or has `sudoRules`
   */
  readonly sudo?: boolean;
  /**
   * Rules for sudo, as lines of sudoers without the user's name: `ALL=(ALL) /usr/bin/systemctl`.
   * @default - all commands, or none with `sudo: false`
   */
  readonly sudoRules?: string[];
  /**
   * Additional groups.
   * @default - none
   */
  readonly groups?: string[];
  /**
   * Primary group.
   * @default - a group with the user's name
   */
  readonly primaryGroup?: string;
  /**
   * Login shell.
   * @default - the guest's default shell
   */
  readonly shell?: string;
  /**
   * Real name or comment.
   * @default - none
   */
  readonly gecos?: string;
  /**
   * Home directory.
   * @default - `/home/` followed by the user's name
   */
  readonly homeDirectory?: string;
  /**
   * Whether the home directory is created.
   * @default - true, unless the user is a system user
   */
  readonly createHome?: boolean;
  /**
   * Numeric user id, from 0.
   * @default - the next free one
   */
  readonly uid?: number;
  /**
   * Whether the user is a system user, with a low id and no home directory.
   * @default false
   */
  readonly system?: boolean;
  /**
   * Whether a password that the image has for this user is locked. A password that the guest agent sets unlocks it.
   * @default - true
   */
  readonly lockPassword?: boolean;
  /**
   * Last day on which the user can log in, as year-month-day.
   * @default - the account does not expire
   */
  readonly expires?: string;
  /**
   * Secret that holds this user's password under the user's name. The guest agent sets the password, so the guest must
   * run one. There is no property for the password itself: it would be readable in the manifest.
   * @default - no login with a password
   */
  readonly passwordFrom?: INamedObject;
}

/** User that cloud-init creates in the guest. Invalid login names and invalid public keys are rejected. */
export class CloudUser {
  /**
   * Creates a user. If the user already exists, such as root, the keys are added to it.
   *
   * @param name login name: up to 32 lower case letters, digits, dashes and underscores
   * @param options keys, groups and permissions
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     users: [CloudUser.named('ops', { sshKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHNb0o2m9JmTeVPvXo3cOXWxSjFkbpMFjJzJ4d6Vd5sE me'], sudo: true })],
   *   }),
   * });
   */
  public static named(name: string, options: CloudUserOptions = {}): CloudUser {
    return new CloudUser(name, options);
  }

  /** Login name. */
  public readonly name: string;
  /** Secret that holds the user's password. */
  public readonly passwordFrom?: INamedObject;

  private constructor(
    name: string,
    private readonly options: CloudUserOptions,
  ) {
    if (typeof name !== 'string' || !/^[a-z_][a-z0-9_-]{0,31}$/.test(name)) {
      const remedy =
        'use up to 32 lower case letters, digits, dashes and underscores, not starting with a digit or dash';
      mistakeInCode('CloudUser.named', 'name', 'is not a valid login name', remedy, 'cloud-user-name');
    }
    for (const [i, key] of (options.sshKeys ?? []).entries()) {
      const problem = typeof key === 'string' ? publicKeyProblem(key) : 'is not a public key';
      if (problem === undefined) continue;
      const remedy = 'use a line of authorized_keys, such as the content of id_ed25519.pub';
      mistakeInCode('CloudUser.named', `sshKeys[${i}]`, `of "${name}" ${problem}`, remedy, 'cloud-user-key');
    }
    this.name = name;
    this.passwordFrom = options.passwordFrom;
  }

  /** @internal */
  public _render(): Record<string, unknown> {
    const { sshKeys, sshImportIds, groups, shell, gecos, homeDirectory, createHome, uid, system } = this.options;
    const { primaryGroup, lockPassword, expires } = this.options;
    return {
      name: this.name,
      ...this.renderSudo(),
      ...(gecos === undefined ? {} : { gecos }),
      ...(primaryGroup === undefined ? {} : { primary_group: primaryGroup }),
      ...(groups?.length ? { groups } : {}),
      ...(shell === undefined ? {} : { shell }),
      ...(homeDirectory === undefined ? {} : { homedir: homeDirectory }),
      ...(createHome === undefined ? {} : { no_create_home: !createHome }),
      ...(uid === undefined ? {} : { uid }),
      ...(system === undefined ? {} : { system }),
      ...(lockPassword === undefined ? {} : { lock_passwd: lockPassword }),
      ...(expires === undefined ? {} : { expiredate: expires }),
      ...(sshImportIds?.length ? { ssh_import_id: sshImportIds } : {}),
      ...(sshKeys?.length ? { ssh_authorized_keys: sshKeys.map((key) => key.trim()) } : {}),
    };
  }

  private renderSudo(): Record<string, unknown> {
    const { sudo, sudoRules, system } = this.options;
    if (sudoRules?.length) return { sudo: sudoRules };
    return (sudo ?? !system) && this.name !== 'root' ? { sudo: 'ALL=(ALL) NOPASSWD:ALL' } : {};
  }
}
