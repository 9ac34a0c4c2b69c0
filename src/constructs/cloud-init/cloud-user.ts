import { publicKeyProblem } from '../../api/cloud-init/ssh-key';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** What a user of a guest has. */
export interface CloudUserOptions {
  /**
   * Public keys that may log in, one line each, as in `authorized_keys`.
   * @default - none
   */
  readonly sshKeys?: string[];
  /**
   * Where cloud-init fetches further public keys: `gh:name` from GitHub, `lp:name` from Launchpad.
   * @default - none
   */
  readonly sshImportIds?: string[];
  /**
   * May become root without a password.
   * @default - true, unless this is root, a system user, or has `sudoRules`
   */
  readonly sudo?: boolean;
  /**
   * What the user may do by sudo, as lines of sudoers without the user's name: `ALL=(ALL) /usr/bin/systemctl`.
   * @default - everything, or nothing with `sudo: false`
   */
  readonly sudoRules?: string[];
  /**
   * Further groups.
   * @default - none
   */
  readonly groups?: string[];
  /**
   * First group.
   * @default - a group of the user's name
   */
  readonly primaryGroup?: string;
  /**
   * Login shell.
   * @default - the guest's
   */
  readonly shell?: string;
  /**
   * Real name or comment.
   * @default - none
   */
  readonly gecos?: string;
  /**
   * Home directory.
   * @default - /home and the name
   */
  readonly homeDirectory?: string;
  /**
   * Makes the home directory.
   * @default - true, unless this is a system user
   */
  readonly createHome?: boolean;
  /**
   * Numeric id, from 0.
   * @default - the next free one
   */
  readonly uid?: number;
  /**
   * A system user: low id, no home directory.
   * @default false
   */
  readonly system?: boolean;
  /**
   * Locks the password that the image may have for this user. A password that the guest agent sets unlocks it.
   * @default - true, cloud-init's
   */
  readonly lockPassword?: boolean;
  /**
   * Last day on which the user may log in, as year-month-day.
   * @default - no end
   */
  readonly expires?: string;
  /**
   * Secret that holds this user's password under the user's name. The guest agent sets it, so the guest needs
   * one. There is no property for a password itself: it would be readable in the manifest.
   * @default - no login by password
   */
  readonly passwordFrom?: INamedObject;
}

/** A user that cloud-init makes in the guest. A name that is no login name, and a key that is no public one, are refused. */
export class CloudUser {
  /**
   * A user of this name; an existing one, such as root, gets the keys.
   *
   * @param name up to 32 lower case letters, digits, dashes and underscores
   * @param options keys, groups and rights
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
  /** Secret that holds the password. */
  public readonly passwordFrom?: INamedObject;

  private constructor(
    name: string,
    private readonly options: CloudUserOptions,
  ) {
    if (typeof name !== 'string' || !/^[a-z_][a-z0-9_-]{0,31}$/.test(name)) {
      const remedy =
        'use up to 32 lower case letters, digits, dashes and underscores, not starting with a digit or dash';
      mistakeInCode('CloudUser.named', 'name', 'is no login name', remedy, 'cloud-user-name');
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
