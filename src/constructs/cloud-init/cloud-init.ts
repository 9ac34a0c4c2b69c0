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
import { secretOf } from '../storage/reference';
import { mistakeInCode } from '../validation';
import type { CloudConfigProps } from './cloud-config';
import { CloudNetwork, CloudNetworkFormat } from './cloud-network';
import type { CloudPart } from './cloud-part';
import type { CloudUser } from './cloud-user';
import { type LocatePath, refuse } from './mistakes';
import { renderMultipart } from './multipart';
import { cloudConfigText, locateInConfig, renderCloudConfig } from './render-config';
import { yamlText } from './yaml';

/** From where cloud-init reads its data. */
export class CloudInitSource extends Choice {
  /** A CD labelled `cidata`, which every distribution's cloud image reads. */
  public static readonly NO_CLOUD = new CloudInitSource('cloudInitNoCloud');
  /** OpenStack's config drive. */
  public static readonly CONFIG_DRIVE = new CloudInitSource('cloudInitConfigDrive');
}

/** What goes with user data of any form. */
export interface CloudInitOptions {
  /**
   * Network configuration: `CloudNetwork.v2(…)`, or cloud-init's own keys.
   * @default - DHCP
   */
  readonly networkConfig?: CloudNetwork | { readonly [key: string]: unknown };
  /**
   * The data may hold secrets: it goes into a generated Secret, which is then its only place in the manifests, even
   * when it is small enough for the VM. Otherwise passwords and private keys are refused.
   * @default false
   */
  readonly sensitive?: boolean;
  /**
   * Name of the disk on which the guest finds the data; manifests often have `cloudinitdisk`.
   * @default cloudinit
   */
  readonly diskName?: string;
}

/** What cloud-init does in the guest, and where its data is kept. */
export interface CloudInitProps extends CloudConfigProps {
  /**
   * Network configuration: `CloudNetwork.v2(…)`, or cloud-init's own keys.
   * @default - DHCP
   */
  readonly networkConfig?: CloudNetwork | { readonly [key: string]: unknown };
  /**
   * The data may hold secrets: it goes into a generated Secret, which is then its only place in the manifests, even
   * when it is small enough for the VM. Otherwise passwords and private keys are refused.
   * @default false
   */
  readonly sensitive?: boolean;
  /**
   * Name of the disk on which the guest finds the data; manifests often have `cloudinitdisk`.
   * @default cloudinit
   */
  readonly diskName?: string;
}

/** User data whose form is known to its author. */
export interface CloudInitRawOptions extends CloudInitOptions {
  /**
   * From where cloud-init reads it.
   * @default CloudInitSource.NO_CLOUD
   */
  readonly source?: CloudInitSource;
}

/** Which keys a Secret has. */
export interface CloudInitSecretOptions {
  /**
   * From where cloud-init reads it.
   * @default CloudInitSource.NO_CLOUD
   */
  readonly source?: CloudInitSource;
  /**
   * The Secret has user data under the key `userdata`.
   * @default true
   */
  readonly userData?: boolean;
  /**
   * The Secret has network configuration under the key `networkdata`.
   * @default false
   */
  readonly networkData?: boolean;
  /**
   * Name of the disk on which the guest finds the data; manifests often have `cloudinitdisk`.
   * @default cloudinit
   */
  readonly diskName?: string;
}

/** What there is before it is decided where it goes. */
interface Data {
  readonly source: CloudInitSource;
  readonly userData?: string;
  readonly networkData?: string;
  readonly users?: readonly CloudUser[];
  readonly sensitive?: boolean;
  readonly diskName?: string;
  readonly secret?: INamedObject;
  /** Which keys of `secret` are used. */
  readonly secretKeys?: { readonly userData: boolean; readonly networkData: boolean };
}

/**
 * What a user configures in a guest at its first boot, by cloud-init.
 *
 * It is checked by cloud-init's own schema: unknown keys, wrong types and values are refused here already. Data over 2,048
 * bytes, and `sensitive` data, goes into a generated Secret.
 */
export class CloudInit {
  /**
   * A cloud-config by the NoCloud data source, which every distribution's cloud image reads.
   *
   * @param props users, packages, commands, and everything else of the cloud-config
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
   * A cloud-config by OpenStack's config drive.
   *
   * @param props users, packages, commands, and everything else of the cloud-config
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
   * User data as text: a shell script with `#!`, a multi-part archive, or a whole `#cloud-config`, which is parsed and
   * validated against cloud-init's schema.
   *
   * @param userData user data as cloud-init reads it, with its first line
   * @param options source, network and name of the disk
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
   * Several documents at once: cloud-configs, scripts, templates. The same parts give the same text.
   *
   * @param parts parts, which are processed in this order
   * @param options source, network and name of the disk
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
   * User data from key `userdata`, and network configuration from key `networkdata`, of a Secret that exists.
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
      const remedy = 'let it have userData or networkData';
      mistakeInCode('CloudInit.fromSecret', 'userData', 'nothing is taken from the Secret', remedy, 'cloud-init-empty');
    }
    return CloudInit._of({ source, diskName, secret, secretKeys: { userData, networkData } });
  }

  /** @internal */
  public static _of(data: Data): CloudInit {
    return new CloudInit(data);
  }

  /** The users that are made. */
  public readonly users: CloudUser[];
  /** From where cloud-init reads its data. */
  public readonly source: CloudInitSource;
  /** Name of the disk on which the guest finds the data. */
  public readonly diskName: string;

  private constructor(private readonly data: Data) {
    this.users = [...(data.users ?? [])];
    this.source = data.source;
    this.diskName = data.diskName ?? 'cloudinit';
  }

  /** What must go into a Secret, since it is too large or too private for the manifest. @internal */
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
   * Changes with the data of the generated Secret, whose name stays: on the instance's template it makes that change
   * one of the VM. Undefined when no Secret is generated. @internal
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
  const errors = [
    ...validateCloudConfig(config, root, { secret: sensitive }),
    ...validateNetworkConfig(networkConfig, source, network),
  ];
  const locate: LocatePath = (path) => (path.parts[0] === 'networkConfig' ? String(path) : inConfig(path));
  refuse(call, errors, locate);
  const userData = cloudConfigText(config);
  const networkData = renderNetwork(networkConfig, source);
  refuse(call, validateSize([userData, networkData], root));
  return CloudInit._of({ source, userData, networkData, users, sensitive, diskName });
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

/** A `CloudNetwork` was judged when it was made: what is left is whether the data source reads it. */
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
  // network_data.json is read as JSON
  return source === CloudInitSource.CONFIG_DRIVE ? `${JSON.stringify(document)}\n` : yamlText(document);
}
