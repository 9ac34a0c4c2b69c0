import type { AccessCredential as AccessCredentialSpec } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { secretOf } from '../storage/reference';

/** Keys and passwords of a Secret, and how they reach the guest. They are never in the manifest. */
export class AccessCredential {
  /**
   * SSH keys that the guest agent writes for these users, whenever the Secret changes.
   *
   * @param secret each of its values is one or more public keys
   * @param users login names that get the keys
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   accessCredentials: [AccessCredential.sshKeysByAgent({ name: 'team-keys' }, ['fedora'])],
   * });
   */
  public static sshKeysByAgent(secret: INamedObject, users: string[]): AccessCredential {
    return AccessCredential.sshKeys(secret, { qemuGuestAgent: { users: [...users] } });
  }

  /**
   * SSH keys that cloud-init finds on its NoCloud disk, at the first boot.
   *
   * @param secret Secret whose values are public keys
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'team-keys' })],
   *   cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
   * });
   */
  public static sshKeysByNoCloud(secret: INamedObject): AccessCredential {
    return AccessCredential.sshKeys(secret, { noCloud: {} });
  }

  /**
   * SSH keys that cloud-init finds on its ConfigDrive disk, at the first boot.
   *
   * @param secret Secret whose values are public keys
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   accessCredentials: [AccessCredential.sshKeysByConfigDrive({ name: 'team-keys' })],
   *   cloudInit: CloudInit.configDrive({ packages: ['nginx'] }),
   * });
   */
  public static sshKeysByConfigDrive(secret: INamedObject): AccessCredential {
    return AccessCredential.sshKeys(secret, { configDrive: {} });
  }

  /**
   * Passwords that the guest agent sets, whenever the Secret changes.
   *
   * @param secret its keys are names of users, its values their passwords
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   accessCredentials: [AccessCredential.passwordsByAgent({ name: 'passwords' })],
   * });
   */
  public static passwordsByAgent(secret: INamedObject): AccessCredential {
    return new AccessCredential({
      userPassword: {
        source: { secret: { secretName: secretOf('AccessCredential', secret) } },
        propagationMethod: { qemuGuestAgent: {} },
      },
    });
  }

  private static sshKeys(
    secret: INamedObject,
    propagationMethod: NonNullable<AccessCredentialSpec['sshPublicKey']>['propagationMethod'],
  ): AccessCredential {
    return new AccessCredential({
      sshPublicKey: { source: { secret: { secretName: secretOf('AccessCredential', secret) } }, propagationMethod },
    });
  }

  private constructor(private readonly spec: AccessCredentialSpec) {}

  /** @internal */
  public _render(): AccessCredentialSpec {
    return this.spec;
  }
}
