import { validateSize } from '../../api/cloud-init/user-data';
import { root } from '../../api/findings';
import type { Volume } from '../../api/generated/kubevirt-v1';
import { validateAnswerFile, validateAnswerText } from '../../api/sysprep/answer-file';
import { checksumOf } from '../checksum';
import { refuse } from '../cloud-init/mistakes';
import type { INamedObject } from '../resource';
import { renderFirstBoot, renderInstallation } from './render';
import type { SysprepInstallProps, SysprepProps } from './sysprep-props';
import { type WindowsRelease, type WindowsAdmin, WindowsProductKey } from './windows';
import { configMapOf, secretOf } from '../storage/reference';

/** Options of a raw answer file. */
export interface SysprepRawOptions {
  /**
   * Whether the file contains passwords or product keys. It is then stored in a generated Secret instead of a
   * ConfigMap.
   * @default false
   */
  readonly sensitive?: boolean;
}

/**
 * Unattended setup of Windows: a CD with an answer file, which Windows reads.
 *
 * The library never writes the administrator's password to a file. The password is in a Secret (`WindowsAdmin`), and
 * the guest agent sets it when it runs; setup installs the agent from the virtio CD at its end. Until then the password
 * is empty, and Windows accepts an empty password only on the console. If you need a password earlier, put your own
 * answer file into a Secret: `Sysprep.fromSecret`.
 *
 * Answers at which Windows' setup would stop are rejected; the error lists all of them.
 */
export class Sysprep {
  /**
   * Installs Windows from its medium on an empty disk (`autounattend.xml`). The disk is wiped.
   *
   * @param props release, image, administrator and other answers
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.blank(Size.gibibytes(80))],
   *   installer: Disk.dataVolume({ name: 'windows-server-iso' }, { device: DiskDevice.CDROM }),
   *   drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM }),
   *   sysprep: Sysprep.install({
   *     release: WindowsRelease.SERVER_2025,
   *     image: WindowsImage.named('Windows Server 2025 SERVERSTANDARD'),
   *     productKey: WindowsProductKey.KMS_SERVER_2025_STANDARD,
   *     admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }),
   *   }),
   * });
   */
  public static install(props: SysprepInstallProps): Sysprep {
    check('Sysprep.install', props, props);
    return made(props, { 'autounattend.xml': renderInstallation(props) });
  }

  /**
   * Configures the first boot of an image that was prepared with `sysprep /generalize` (`unattend.xml`).
   *
   * @param props release, administrator and other answers
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.cloneOf({ name: 'generalized-server' }, { namespace: 'images' })],
   *   sysprep: Sysprep.firstBoot({ release: WindowsRelease.SERVER_2025, admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'admin-password' } }) }),
   * });
   */
  public static firstBoot(props: SysprepProps): Sysprep {
    check('Sysprep.firstBoot', props);
    return made(props, { 'unattend.xml': renderFirstBoot(props) });
  }

  /**
   * Uses an answer file as it is, for an installation and for a first boot.
   *
   * @param xml answer file
   * @param options whether the file is stored in a Secret
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.cloneOf({ name: 'generalized-server' }, { namespace: 'images' })],
   *   sysprep: Sysprep.raw('<unattend xmlns="urn:schemas-microsoft-com:unattend"></unattend>'),
   * });
   */
  public static raw(xml: string, options: SysprepRawOptions = {}): Sysprep {
    const { sensitive = false } = options;
    refuse('Sysprep.raw', validateAnswerText(String(xml), root.at('xml'), PUBLISHED, sensitive));
    return Sysprep._of({ files: { 'autounattend.xml': xml, 'unattend.xml': xml }, sensitive });
  }

  /**
   * Uses the answer files in an existing Secret. Its keys are `autounattend.xml`, `unattend.xml` or both.
   *
   * @param secret Secret with the answer file
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.cloneOf({ name: 'generalized-server' }, { namespace: 'images' })],
   *   sysprep: Sysprep.fromSecret({ name: 'answers' }),
   * });
   */
  public static fromSecret(secret: INamedObject): Sysprep {
    return Sysprep._of({ existing: { secret: { name: secretOf('Sysprep.fromSecret', secret) } }, sensitive: true });
  }

  /**
   * Uses the answer files in an existing ConfigMap. Its keys are `autounattend.xml`, `unattend.xml` or both.
   *
   * @param configMap ConfigMap with the answer file
   * @example
   * new WindowsServer(chart, 'dc', {
   *   disks: [Disk.cloneOf({ name: 'generalized-server' }, { namespace: 'images' })],
   *   sysprep: Sysprep.fromConfigMap({ name: 'answers' }),
   * });
   */
  public static fromConfigMap(configMap: INamedObject): Sysprep {
    return Sysprep._of({
      existing: { configMap: { name: configMapOf('Sysprep.fromConfigMap', configMap) } },
      sensitive: false,
    });
  }

  /** @internal */
  public static _of(data: Data): Sysprep {
    refuse('Sysprep', validateSize(Object.values(data.files ?? {}), root));
    return new Sysprep(data);
  }

  /** Administrator account, if it is known. */
  public readonly admin?: WindowsAdmin;

  private constructor(private readonly data: Data) {
    this.admin = data.admin;
  }

  /** Returns the release that the answers are for, if it is known. @internal */
  public _release(): WindowsRelease | undefined {
    return this.data.release;
  }

  /** Returns the data of the Secret to generate, if one is needed. @internal */
  public _secretData(): Record<string, string> | undefined {
    return this.data.sensitive ? this.data.files : undefined;
  }

  /** Returns the data of the ConfigMap to generate, if one is needed. @internal */
  public _configData(): Record<string, string> | undefined {
    return this.data.sensitive ? undefined : this.data.files;
  }

  /** Returns a checksum of the generated files, or undefined if none are generated. @internal */
  public _checksum(): string | undefined {
    const { files } = this.data;
    return files && checksumOf(files);
  }

  /**
   * Renders the volume; `generated` is the Secret or ConfigMap with the data of `_secretData` or `_configData`.
   * @internal
   */
  public _renderVolume(name: string, generated?: INamedObject): Volume {
    const { existing, sensitive } = this.data;
    if (existing) return { name, sysprep: existing };
    const reference = { name: generated?.name ?? '' };
    return { name, sysprep: sensitive ? { secret: reference } : { configMap: reference } };
  }
}

/** Data of the answer files, before the library decides where to store it. */
interface Data {
  readonly files?: Record<string, string>;
  readonly existing?: NonNullable<Volume['sysprep']>;
  readonly sensitive: boolean;
  readonly admin?: WindowsAdmin;
  readonly release?: WindowsRelease;
}

const PUBLISHED = Object.values(WindowsProductKey)
  .filter((value) => value instanceof WindowsProductKey)
  .map((key) => key._render());

/** Returns the release of a published key: a server's, or `client` for Windows 10 and 11. */
function releaseOfKey(key: WindowsProductKey): string | undefined {
  const [name] = Object.entries(WindowsProductKey).find(
    ([, each]) => each instanceof WindowsProductKey && each._render() === key._render(),
  ) ?? [undefined];
  const year = /^KMS_SERVER_20(\d\d)_/.exec(name ?? '')?.[1];
  return name === undefined ? undefined : year === undefined ? 'client' : `2k${year}`;
}

function made({ admin, release, sensitive = false }: SysprepProps, files: Record<string, string>): Sysprep {
  return Sysprep._of({ files, sensitive, admin, release });
}

function check(call: string, props: SysprepProps, install?: SysprepInstallProps): void {
  const { admin, release, sensitive = false } = props;
  const { productKey, image } = install ?? {};
  const selected = image?._render();
  const facts = {
    adminIsBuiltIn: admin.isBuiltIn,
    isServer: release.isServer,
    keyIsPublic: productKey?.isPublic ?? true,
    releaseName: release.value,
    imageName: selected?.key === '/IMAGE/NAME' ? selected.value : undefined,
    keyRelease: productKey && releaseOfKey(productKey),
    sensitive,
  };
  refuse(call, validateAnswerFile({ ...props, ...facts }, root));
}
