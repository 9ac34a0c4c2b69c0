import { CHECKED_SOURCES } from '../../api/cloud-init/checked';
import { validateNetwork } from '../../api/cloud-init/network';
import { validatePlain, withoutUndefined } from '../../api/cloud-init/plain';
import { validateUserData } from '../../api/cloud-init/raw-text';
import { validateCloudConfig, validateSize } from '../../api/cloud-init/user-data';
import { CLOUD_INIT_INLINE_LIMIT } from '../../api/constants';
import { type Finding, Path, root } from '../../api/findings';
import type { CloudInitNoCloudSource, Volume } from '../../api/generated/kubevirt-v1';
import { checksumOf } from '../checksum';
import { Choice } from '../choice';
import type { INamedObject } from '../resource';
import { isSame, snapshot } from '../same';
import { secretOf } from '../storage/reference';
import { mistakeInCode } from '../validation';
import type { CloudConfigProps } from './cloud-config';
import { CloudNetwork, CloudNetworkFormat } from './cloud-network';
import type { CloudPart } from './cloud-part';
import type { CloudUser } from './cloud-user';
import type { Config } from './given';
import { type LocatePath, refuse } from './mistakes';
import { renderMultipart } from './multipart';
import { cloudConfigText, locateInConfig, renderCloudConfig } from './render-config';
import { yamlText } from './yaml';

/** Data source from which cloud-init reads its data. */
export class CloudInitSource extends Choice {
  /** CD labelled `cidata`, which every distribution's cloud image reads. */
  public static readonly NO_CLOUD = new CloudInitSource('cloudInitNoCloud');
  /** OpenStack's config drive. */
  public static readonly CONFIG_DRIVE = new CloudInitSource('cloudInitConfigDrive');
}

/** Options for user data of any form. */
export interface CloudInitOptions {
  /**
   * Network configuration: `CloudNetwork.v2(…)`, or a map of cloud-init's own keys.
   * @default - DHCP
   */
  readonly networkConfig?: CloudNetwork | { readonly [key: string]: unknown };
  /**
   * Whether the data may contain secrets. Sensitive data is stored only in a generated Secret, even if it is small
   * enough for the VM's manifest. Without it, passwords and private keys are rejected.
   * @default false
   */
  readonly sensitive?: boolean;
  /**
   * Name of the disk that holds the data. Many manifests call it `cloudinitdisk`.
   * @default cloudinit
   */
  readonly diskName?: string;
}

/** Configuration of the guest, and where its data is stored. */
export interface CloudInitProps extends CloudConfigProps {
  /**
   * Network configuration: `CloudNetwork.v2(…)`, or a map of cloud-init's own keys.
   * @default - DHCP
   */
  readonly networkConfig?: CloudNetwork | { readonly [key: string]: unknown };
  /**
   * Whether the data may contain secrets. Sensitive data is stored only in a generated Secret, even if it is small
   * enough for the VM's manifest. Without it, passwords and private keys are rejected.
   * @default false
   */
  readonly sensitive?: boolean;
  /**
   * Name of the disk that holds the data. Many manifests call it `cloudinitdisk`.
   * @default cloudinit
   */
  readonly diskName?: string;
}

/** Options for user data that is given as text or as parts. */
export interface CloudInitRawOptions extends CloudInitOptions {
  /**
   * Data source from which cloud-init reads the data.
   * @default CloudInitSource.NO_CLOUD
   */
  readonly source?: CloudInitSource;
}

/** Keys of an existing Secret, and how the guest sees it. */
export interface CloudInitSecretOptions {
  /**
   * Data source from which cloud-init reads the data.
   * @default CloudInitSource.NO_CLOUD
   */
  readonly source?: CloudInitSource;
  /**
   * Whether the Secret has user data under the key `userdata`.
   * @default true
   */
  readonly userData?: boolean;
  /**
   * Whether the Secret has network configuration under the key `networkdata`.
   * @default false
   */
  readonly networkData?: boolean;
  /**
   * Name of the disk that holds the data. Many manifests call it `cloudinitdisk`.
   * @default cloudinit
   */
  readonly diskName?: string;
}

/** Data of cloud-init, before the library decides where to store it. */
interface Data {
  readonly source: CloudInitSource;
  readonly userData?: string;
  readonly networkData?: string;
  readonly users?: readonly CloudUser[];
  readonly sensitive?: boolean;
  readonly diskName?: string;
  readonly secret?: INamedObject;
  /** Keys of `secret` that are used. */
  readonly secretKeys?: { readonly userData: boolean; readonly networkData: boolean };
}

/**
 * Configuration of a guest at its first boot, by cloud-init.
 *
 * It is validated against cloud-init's own schema: unknown keys, wrong types and wrong values are rejected when the app
 * runs. Data over 2,048 bytes, and `sensitive` data, is stored in a generated Secret.
 */
export class CloudInit {
  /**
   * Creates a cloud-config for the NoCloud data source, which every distribution's cloud image reads.
   *
   * @param props users, packages, commands and all other settings of the cloud-config
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.noCloud({
   *     users: [CloudUser.named('ops', { sshKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHNb0o2m9JmTeVPvXo3cOXWxSjFkbpMFjJzJ4d6Vd5sE me'], sudo: true })],
   *     packages: ['nginx'],
   *     runcmd: ['systemctl enable --now nginx'],
   *   }),
   * });
   */
  public static noCloud(props: CloudInitProps): CloudInit {
    return fromConfig('CloudInit.noCloud', CloudInitSource.NO_CLOUD, props);
  }

  /**
   * Creates a cloud-config for OpenStack's config drive.
   *
   * @param props users, packages, commands and all other settings of the cloud-config
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.configDrive({
   *     hostname: 'web',
   *     packages: ['nginx'],
   *   }),
   * });
   */
  public static configDrive(props: CloudInitProps): CloudInit {
    return fromConfig('CloudInit.configDrive', CloudInitSource.CONFIG_DRIVE, props);
  }

  /**
   * Uses user data as it is: a shell script with `#!`, a multi-part archive, or a whole `#cloud-config`, which is
   * parsed and validated against cloud-init's schema.
   *
   * @param userData user data as cloud-init reads it, including its first line
   * @param options data source, network configuration and disk name
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.raw('#cloud-config\npackages: [nginx]\n'),
   * });
   */
  public static raw(userData: string, options: CloudInitRawOptions = {}): CloudInit {
    const call = 'CloudInit.raw';
    const context = { secret: options.sensitive ?? false };
    refuse(call, validateUserData(userData, Path.of('userData'), context));
    return fromText(call, userData, options);
  }

  /**
   * Combines several documents: cloud-configs, scripts, templates. The same parts always give the same text.
   *
   * @param parts parts in the order in which cloud-init processes them
   * @param options data source, network configuration and disk name
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([
   *     CloudPart.cloudConfig({ packages: ['nginx'] }),
   *     CloudPart.shellScript('#!/bin/sh\nsystemctl enable --now nginx\n'),
   *   ]),
   * });
   */
  public static multipart(parts: CloudPart[], options: CloudInitRawOptions = {}): CloudInit {
    const call = 'CloudInit.multipart';
    if (parts.length === 0) mistakeInCode(call, 'parts', 'is empty', 'add a CloudPart', 'cloud-init-empty');
    if (!options.sensitive) {
      const secrets = parts.flatMap((part, i) =>
        part._secrets().map((error): Finding => ({ ...error, path: Path.of('parts', i) })),
      );
      refuse(call, secrets);
    }
    const users = parts.flatMap((part) => part._users());
    return fromText(call, renderMultipart(parts), options, users);
  }

  /**
   * Uses an existing Secret: user data from its key `userdata`, and network configuration from its key `networkdata`.
   *
   * @param secret Secret with the keys `userdata` and `networkdata`
   * @param options keys of the Secret, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.fromSecret({ name: 'web-cloud-init' }),
   * });
   */
  public static fromSecret(secret: INamedObject, options: CloudInitSecretOptions = {}): CloudInit {
    secretOf('CloudInit.fromSecret', secret);
    const { source = CloudInitSource.NO_CLOUD, userData = true, networkData = false, diskName } = options;
    if (!userData && !networkData) {
      const remedy = 'set userData or networkData to true';
      mistakeInCode(
        'CloudInit.fromSecret',
        'userData',
        'neither user data nor network data is read from the Secret',
        remedy,
        'cloud-init-empty',
      );
    }
    return CloudInit._of({ source, diskName, secret, secretKeys: { userData, networkData } });
  }

  /** @internal */
  public static _of(data: Data): CloudInit {
    return new CloudInit(data);
  }

  /** Users that cloud-init creates. */
  public readonly users: CloudUser[];
  /** Data source from which cloud-init reads its data. */
  public readonly source: CloudInitSource;
  /** Name of the disk that holds the data. */
  public readonly diskName: string;

  private constructor(private readonly data: Data) {
    this.users = [...(data.users ?? [])];
    this.source = data.source;
    this.diskName = data.diskName ?? 'cloudinit';
  }

  /** Returns the data to store in a Secret, if it is too large or too sensitive for the manifest. @internal */
  public _secretData(): Record<string, string> | undefined {
    const { userData, networkData, sensitive } = this.data;
    const large = [userData, networkData].some(
      (text) => text !== undefined && Buffer.byteLength(text) > CLOUD_INIT_INLINE_LIMIT,
    );
    if (!large && !(sensitive && (userData ?? networkData) !== undefined)) return undefined;
    return {
      ...(userData === undefined ? {} : { userdata: userData }),
      ...(networkData === undefined ? {} : { networkdata: networkData }),
    };
  }

  /**
   * Returns a checksum of the generated Secret's data, or undefined if no Secret is generated. The Secret's name does
   * not change with its data; the checksum on the instance's template turns new data into a change of the VM. @internal
   */
  public _checksum(): string | undefined {
    const data = this._secretData();
    return data && checksumOf(data);
  }

  /** @internal */
  public _renderVolume(name: string, generated?: INamedObject): Volume {
    return { name, [this.source.value]: this.renderSource(generated) };
  }

  private renderSource(generated: INamedObject | undefined): CloudInitNoCloudSource {
    const { secret, secretKeys, userData, networkData } = this.data;
    const from = secret ?? generated;
    if (!from) {
      const rendered = {
        ...(userData === undefined ? {} : { userData }),
        ...(networkData === undefined ? {} : { networkData }),
      };
      CHECKED_SOURCES.add(rendered);
      return rendered;
    }
    const reference = { name: from.name };
    const keys = secretKeys ?? { userData: userData !== undefined, networkData: networkData !== undefined };
    const rendered = {
      ...(keys.userData ? { secretRef: reference } : {}),
      ...(keys.networkData ? { networkDataSecretRef: reference } : {}),
    };
    if (generated) CHECKED_SOURCES.add(rendered);
    return rendered;
  }
}

function fromConfig(call: string, source: CloudInitSource, props: CloudInitProps): CloudInit {
  const { sensitive = false, networkConfig, users, diskName } = props;
  refuse(call, validatePlain(props.raw, root.at('raw')));
  const config = renderCloudConfig(props);
  const inConfig = locateInConfig(props);
  const network = root.at('networkConfig');
  const errors = [...mistakesIn(config, sensitive), ...validateNetworkConfig(networkConfig, source, network)];
  const locate: LocatePath = (path) => (path.parts[0] === 'networkConfig' ? String(path) : inConfig(path));
  refuse(call, errors, locate);
  const userData = cloudConfigText(config);
  const networkData = renderNetwork(networkConfig, source);
  refuse(call, validateSize([userData, networkData], root));
  return CloudInit._of({ source, userData, networkData, users, sensitive, diskName });
}

let sound: { readonly config: object; readonly sensitive: boolean } | undefined;

/** Validates a config, unless it is the same as the last one without a mistake: VMs made in a loop are often alike. */
function mistakesIn(config: Config, sensitive: boolean): Finding[] {
  if (sound?.sensitive === sensitive && isSame(sound.config, config)) return [];
  const errors = validateCloudConfig(config, root, { secret: sensitive });
  if (errors.length === 0) sound = { config: snapshot(config), sensitive };
  return errors;
}

function fromText(
  call: string,
  userData: string,
  options: CloudInitRawOptions,
  users: readonly CloudUser[] = [],
): CloudInit {
  const { source = CloudInitSource.NO_CLOUD, networkConfig, sensitive, diskName } = options;
  refuse(call, validateNetworkConfig(networkConfig, source, root.at('networkConfig')));
  const networkData = renderNetwork(networkConfig, source);
  refuse(call, validateSize([userData, networkData], root));
  return CloudInit._of({ source, userData, networkData, users, sensitive, diskName });
}

type NetworkConfig = CloudInitOptions['networkConfig'];

/** A `CloudNetwork` was validated when it was created; this checks that the data source can read it. */
function validateNetworkConfig(config: NetworkConfig, source: CloudInitSource, at: Path): Finding[] {
  if (config === undefined) return [];
  const reader = source === CloudInitSource.CONFIG_DRIVE ? 'ConfigDrive' : 'NoCloud';
  if (!(config instanceof CloudNetwork)) return validateNetwork(config, at, reader);
  if (config.format === CloudNetworkFormat.NETPLAN && reader === 'NoCloud') return [];
  return config._source() === reader ? [] : validateNetwork(config._render(), at, reader);
}

function renderNetwork(config: NetworkConfig, source: CloudInitSource): string | undefined {
  if (config === undefined) return undefined;
  const document = withoutUndefined(config instanceof CloudNetwork ? config._render() : config);
  // cloud-init parses network_data.json as JSON
  return source === CloudInitSource.CONFIG_DRIVE ? `${JSON.stringify(document)}\n` : yamlText(document);
}
