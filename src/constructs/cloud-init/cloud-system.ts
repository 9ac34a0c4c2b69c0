import type { Duration } from 'cdk8s';
import { Choice } from '../choice';

/** Where the guest's clock comes from. */
export interface CloudNtp {
  /**
   * Names that stand for many servers.
   * @default - the distribution's, unless there are servers
   */
  readonly pools?: string[];
  /**
   * Single servers.
   * @default - none
   */
  readonly servers?: string[];
  /**
   * Whether the guest has an NTP client at all.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Which program: `chrony`, `systemd-timesyncd`, `ntp`.
   * @default - the distribution's
   */
  readonly client?: string;
}

/** Whom the guest trusts. */
export interface CloudCaCerts {
  /** Certificates of authorities, in PEM. They are public: no keys. */
  readonly trusted: string[];
  /**
   * Trusts these alone: the distribution's go.
   * @default false
   */
  readonly removeDefaults?: boolean;
}

/** Types of host keys. */
export class CloudHostKey extends Choice {
  /** The modern one. */
  public static readonly ED25519 = new CloudHostKey('ed25519');
  /** By NIST's curves. */
  public static readonly ECDSA = new CloudHostKey('ecdsa');
  /** For old clients. */
  public static readonly RSA = new CloudHostKey('rsa');

  /**
   * Any other type, as ssh-keygen writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudHostKey {
    return new CloudHostKey(value);
  }
}

/** The guest's ssh server. */
export interface CloudSsh {
  /**
   * Whether a password may log in.
   * @default - the image's
   */
  readonly passwordAuthentication?: boolean;
  /**
   * Refuses root, with a notice.
   * @default - true, unless `users` has root
   */
  readonly disableRoot?: boolean;
  /**
   * Which host keys the guest makes for itself.
   * @default - all types
   */
  readonly hostKeys?: CloudHostKey[];
  /**
   * Deletes the host keys that the image has: two guests of one image would share them.
   * @default true
   */
  readonly deleteImageHostKeys?: boolean;
  /**
   * Public keys of the image's own user (`fedora`, `debian`, `ubuntu`, …).
   * @default - none
   */
  readonly authorizedKeys?: string[];
}

/** What becomes of the guest when cloud-init is done. */
export class CloudPowerMode extends Choice {
  /** It is shut down: the VM's run strategy says what then. */
  public static readonly POWEROFF = new CloudPowerMode('poweroff');
  /** It boots again, for instance into a new kernel. */
  public static readonly REBOOT = new CloudPowerMode('reboot');
  /** It stops without power off. */
  public static readonly HALT = new CloudPowerMode('halt');

  /**
   * Any other mode, as cloud-init writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudPowerMode {
    return new CloudPowerMode(value);
  }
}

/** What becomes of the guest when cloud-init is done. */
export interface CloudPowerState {
  /** What to do. */
  readonly mode: CloudPowerMode;
  /**
   * How long after the end, in whole minutes.
   * @default - at once
   */
  readonly delay?: Duration;
  /**
   * What users of the guest are told.
   * @default - nothing
   */
  readonly message?: string;
  /**
   * How long to wait for cloud-init's end.
   * @default - 30 seconds
   */
  readonly timeout?: Duration;
  /**
   * Shell command that decides: only its success leads to the change.
   * @default - always
   */
  readonly condition?: string;
}

/** Whom the guest tells that it is there, by an HTTP POST at the end of the first boot. */
export interface CloudPhoneHome {
  /** Where to; `$INSTANCE_ID` is filled in. */
  readonly url: string;
  /**
   * What is sent: `pub_key_rsa`, `pub_key_ecdsa`, `pub_key_ed25519`, `instance_id`, `hostname`, `fqdn`.
   * @default - all of it
   */
  readonly post?: string[];
  /**
   * How often it is tried.
   * @default 10
   */
  readonly tries?: number;
}
