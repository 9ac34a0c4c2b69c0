import type { AccessCredential as AccessCredentialSpec } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { secretOf } from '../storage/reference';

/** SSH keys or passwords that the guest receives from a Secret. The manifest holds only the name of the Secret. */
export class AccessCredential {
  /**
   * Has the guest agent write the SSH keys of these users, whenever the Secret changes.
   *
   * @param secret Secret whose values are public keys, one or more in each
   * @param users login names of the users that receive the keys
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
   * Passes the SSH keys to cloud-init on the NoCloud disk. They are set at the first boot.
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
   * Passes the SSH keys to cloud-init on the ConfigDrive disk. They are set at the first boot.
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
   * Has the guest agent set the passwords, whenever the Secret changes.
   *
   * @param secret Secret whose keys are user names and whose values are their passwords
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
