import type { Duration } from 'cdk8s';
import { Choice } from '../choice';

/** Time synchronization of the guest. */
export interface CloudNtp {
  /**
   * NTP pools: host names that resolve to many servers.
   * @default - the distribution's pools, if `servers` is not set
   */
  readonly pools?: string[];
  /**
   * NTP servers.
   * @default - none
   */
  readonly servers?: string[];
  /**
   * Whether the guest runs an NTP client.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * NTP client of the distribution, such as `chrony` or `systemd-timesyncd`.
   * @default - the distribution's client
   */
  readonly client?: string;
}

/** Certificate authorities that the guest trusts. */
export interface CloudCaCerts {
  /** Certificates of authorities, in PEM. They are public: never add a private key. */
  readonly trusted: string[];
  /**
   * Whether the distribution's own authorities are removed.
   * @default false
   */
  readonly removeDefaults?: boolean;
}

/** Type of an ssh host key. */
export class CloudHostKey extends Choice {
  /** Ed25519, the modern type. */
  public static readonly ED25519 = new CloudHostKey('ed25519');
  /** ECDSA, with NIST's curves. */
  public static readonly ECDSA = new CloudHostKey('ecdsa');
  /** RSA, for old clients. */
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

/** Settings of the guest's ssh server. */
export interface CloudSsh {
  /**
   * Whether users can log in with a password.
   * @default - the image's setting
   */
  readonly passwordAuthentication?: boolean;
  /**
   * Whether logins as root are rejected, with a message.
   * @default - true, unless `users` contains root
   */
  readonly disableRoot?: boolean;
  /**
   * Types of the host keys that the guest generates.
   * @default - all types
   */
  readonly hostKeys?: CloudHostKey[];
  /**
   * Whether host keys in the image are deleted. Otherwise all guests of the image share them.
   * @default true
   */
  readonly deleteImageHostKeys?: boolean;
  /**
   * Public keys of the image's own user (`fedora`, `debian`, `ubuntu`, …).
   * @default - none
   */
  readonly authorizedKeys?: string[];
}

/** Power state of the guest after cloud-init has finished. */
export class CloudPowerMode extends Choice {
  /** Shuts the guest down. The VM's run strategy decides whether it starts again. */
  public static readonly POWEROFF = new CloudPowerMode('poweroff');
  /** Reboots the guest, for instance into a new kernel. */
  public static readonly REBOOT = new CloudPowerMode('reboot');
  /** Stops the guest without powering it off. */
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

/** Power state of the guest after cloud-init has finished. */
export interface CloudPowerState {
  /** Power state to change to. */
  readonly mode: CloudPowerMode;
  /**
   * Delay after cloud-init has finished, in whole minutes.
   * @default - no delay
   */
  readonly delay?: Duration;
  /**
   * Message to the guest's users.
   * @default - no message
   */
  readonly message?: string;
  /**
   * Time to wait for cloud-init to finish.
   * @default - 30 seconds
   */
  readonly timeout?: Duration;
  /**
   * Shell command. The power state changes only if the command succeeds.
   * @default - the power state always changes
   */
  readonly condition?: string;
}

/** HTTP POST request that the guest sends at the end of its first boot. */
export interface CloudPhoneHome {
  /** URL of the request; cloud-init replaces `$INSTANCE_ID`. */
  readonly url: string;
  /**
   * Data to send: `pub_key_rsa`, `pub_key_ecdsa`, `pub_key_ed25519`, `instance_id`, `hostname`, `fqdn`.
   * @default - all of them
   */
  readonly post?: string[];
  /**
   * Number of attempts.
   * @default 10
   */
  readonly tries?: number;
}
