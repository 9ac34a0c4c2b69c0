import { INamedObject } from '../resource';

/** What a user of a guest has. */
export interface CloudUserOptions {
  /**
   * Public keys that may log in, one line each, as in `authorized_keys`.
   * @default - none
   */
  readonly sshKeys?: string[];
  /**
   * May become root without a password.
   * @default true
   */
  readonly sudo?: boolean;
  /**
   * Further groups.
   * @default - none
   */
  readonly groups?: string[];
  /**
   * Login shell.
   * @default - the guest's
   */
  readonly shell?: string;
  /**
   * Secret that holds this user's password under the user's name. The guest agent sets it, so the guest needs
   * one. There is no property for a password itself: it would be readable in the manifest.
   * @default - no login by password
   */
  readonly passwordFrom?: INamedObject;
}

/** A user that cloud-init makes in the guest. */
export class CloudUser {
  /** A user of this name; an existing one, such as root, gets the keys. */
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
    if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(name)) {
      throw new Error(
        `CloudUser.named: ${JSON.stringify(name)} is no login name\n  use up to 32 lower case letters, digits, dashes and underscores, not starting with a digit or dash [cloud-user-name]`,
      );
    }
    const broken = (options.sshKeys ?? []).findIndex((key) => !isPublicKey(key));
    if (broken >= 0) {
      throw new Error(
        `CloudUser.named: sshKeys[${broken}] of "${name}" is no public key\n  use a line of authorized_keys, such as the content of id_ed25519.pub [cloud-user-key]`,
      );
    }
    this.name = name;
    this.passwordFrom = options.passwordFrom;
  }

  /** @internal */
  public _render(): Record<string, unknown> {
    const { sshKeys, sudo = true, groups, shell } = this.options;
    return {
      name: this.name,
      ...(sudo && this.name !== 'root' ? { sudo: 'ALL=(ALL) NOPASSWD:ALL' } : {}),
      ...(groups?.length ? { groups } : {}),
      ...(shell === undefined ? {} : { shell }),
      ...(sshKeys?.length ? { ssh_authorized_keys: sshKeys.map((key) => key.trim()) } : {}),
    };
  }
}

/** Options, type and base64 on one line. A private key pasted by mistake is many lines. */
function isPublicKey(line: string): boolean {
  return (
    /^(\S.*\s)?(ssh-(rsa|ed25519|dss)|ecdsa-sha2-\S+|sk-\S+@openssh\.com)\s+[A-Za-z0-9+/]+={0,3}(\s.*)?$/.test(
      line.trim(),
    ) && !line.trim().includes('\n')
  );
}
