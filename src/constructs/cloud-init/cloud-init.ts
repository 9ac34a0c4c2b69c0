import { createHash } from 'node:crypto';
import { Yaml } from 'cdk8s';
import { CLOUD_INIT_INLINE_LIMIT } from '../../api/constants';
import type { CloudInitNoCloudSource, Volume } from '../../api/generated/kubevirt-v1';
import { INamedObject } from '../resource';
import { CloudUser } from './cloud-user';

/** A file that cloud-init writes. */
export interface CloudFile {
  /** Absolute path in the guest. */
  readonly path: string;
  /** Its content. */
  readonly content: string;
  /**
   * Mode, in octal digits.
   * @default '0644'
   */
  readonly permissions?: string;
  /**
   * `user` or `user:group`.
   * @default 'root:root'
   */
  readonly owner?: string;
  /**
   * Adds to the file instead of replacing it.
   * @default false
   */
  readonly append?: boolean;
}

/** What cloud-init does in the guest. */
export interface CloudInitProps {
  /**
   * Users to make.
   * @default - only those of the image
   */
  readonly users?: CloudUser[];
  /**
   * Packages to install.
   * @default - none
   */
  readonly packages?: string[];
  /**
   * Refresh the package lists first.
   * @default - whatever the guest does
   */
  readonly packageUpdate?: boolean;
  /**
   * Shell commands to run at the end of the first boot.
   * @default - none
   */
  readonly runcmd?: string[];
  /**
   * Files to write.
   * @default - none
   */
  readonly writeFiles?: CloudFile[];
  /**
   * Host name of the guest.
   * @default - name of the VM
   */
  readonly hostname?: string;
  /**
   * Time zone, such as `Europe/Prague`.
   * @default - the image's
   */
  readonly timezone?: string;
  /**
   * Network configuration of cloud-init, version 1 or 2.
   * @default - DHCP
   */
  readonly networkConfig?: { readonly [key: string]: unknown };
  /**
   * Any other key of cloud-config. Wins over the properties above.
   * @default - none
   */
  readonly raw?: { readonly [key: string]: unknown };
  /**
   * Keep the data in a Secret even when it is small enough for the manifest.
   * @default false
   */
  readonly sensitive?: boolean;
}

/** What a user configures in a guest at its first boot, by cloud-init. */
export class CloudInit {
  /** By the NoCloud data source, which every distribution's cloud image reads. */
  public static noCloud(props: CloudInitProps): CloudInit {
    return new CloudInit('cloudInitNoCloud', cloudConfig(props), props);
  }

  /** By OpenStack's config drive. */
  public static configDrive(props: CloudInitProps): CloudInit {
    return new CloudInit('cloudInitConfigDrive', cloudConfig(props), props);
  }

  /** User data as it is: a shell script with `#!`, a multi-part archive, a whole `#cloud-config`. */
  public static raw(userData: string): CloudInit {
    return new CloudInit('cloudInitNoCloud', userData, {});
  }

  /** User data from key `userdata` of a Secret that exists. */
  public static fromSecret(secret: INamedObject): CloudInit {
    return new CloudInit('cloudInitNoCloud', undefined, {}, secret);
  }

  /** The users that are made. */
  public readonly users: CloudUser[];

  private constructor(
    private readonly source: 'cloudInitNoCloud' | 'cloudInitConfigDrive',
    private readonly userData: string | undefined,
    private readonly props: CloudInitProps,
    private readonly secret?: INamedObject,
  ) {
    this.users = [...(props.users ?? [])];
    const names = this.users.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) {
      throw new Error(
        `CloudInit: users: "${twice}" is there twice\n  put its keys into one CloudUser [cloud-user-unique]`,
      );
    }
  }

  /** What must go into a Secret, since it is too large or too private for the manifest. @internal */
  public _secretData(): Record<string, string> | undefined {
    const { userData } = this;
    const network = this.networkData();
    const large = [userData, network].some(
      (text) => text !== undefined && Buffer.byteLength(text) > CLOUD_INIT_INLINE_LIMIT,
    );
    if (!large && !this.props.sensitive) return undefined;
    return {
      ...(userData === undefined ? {} : { userdata: userData }),
      ...(network === undefined ? {} : { networkdata: network }),
    };
  }

  /**
   * Changes with the data of the generated Secret, whose name stays: on the instance's template it makes that change
   * one of the VM. Undefined when no Secret is generated. @internal
   */
  public _checksum(): string | undefined {
    const data = this._secretData();
    return data && createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);
  }

  /** @internal */
  public _renderVolume(name: string, generated?: INamedObject): Volume {
    const network = this.networkData();
    const secret = this.secret ?? generated;
    const data: CloudInitNoCloudSource = secret
      ? {
          secretRef: { name: secret.name },
          ...(generated && network !== undefined ? { networkDataSecretRef: { name: secret.name } } : {}),
        }
      : {
          ...(this.userData === undefined ? {} : { userData: this.userData }),
          ...(network === undefined ? {} : { networkData: network }),
        };
    return { name, [this.source]: data };
  }

  private networkData(): string | undefined {
    const { networkConfig } = this.props;
    return networkConfig === undefined ? undefined : Yaml.stringify(networkConfig);
  }
}

function cloudConfig(props: CloudInitProps): string {
  const { users, packages, packageUpdate, runcmd, writeFiles, hostname, timezone, raw } = props;
  const root = users?.some(({ name }) => name === 'root');
  const config = {
    ...(hostname === undefined ? {} : { hostname }),
    ...(timezone === undefined ? {} : { timezone }),
    // cloud-init would otherwise replace root's keys by a notice
    ...(root ? { disable_root: false } : {}),
    ...(users?.length ? { users: users.map((user) => user._render()) } : {}),
    ...(packageUpdate === undefined ? {} : { package_update: packageUpdate }),
    ...(packages?.length ? { packages } : {}),
    ...(writeFiles?.length ? { write_files: writeFiles.map(renderFile) } : {}),
    ...(runcmd?.length ? { runcmd } : {}),
    ...raw,
  };
  return `#cloud-config\n${Object.keys(config).length > 0 ? Yaml.stringify(config) : '{}\n'}`;
}

function renderFile({ path, content, permissions, owner, append }: CloudFile): Record<string, unknown> {
  return {
    path,
    content,
    ...(owner === undefined ? {} : { owner }),
    permissions: permissions ?? '0644',
    ...(append === undefined ? {} : { append }),
  };
}
