import type { CloudFile } from './cloud-file';
import type { CloudAptSource, CloudPackage, CloudYumRepository } from './cloud-packages';
import type { CloudDiskLayout, CloudFilesystem, CloudGrowpart, CloudMount, CloudSwap } from './cloud-storage';
import type { CloudCaCerts, CloudNtp, CloudPhoneHome, CloudPowerState, CloudSsh } from './cloud-system';
import type { CloudUser } from './cloud-user';

/** Configuration of the guest (`#cloud-config`), validated against cloud-init's schema. */
export interface CloudConfigProps {
  /**
   * Users to create.
   * @default - only the image's own users
   */
  readonly users?: CloudUser[];
  /**
   * Whether the image's own user (`fedora`, `debian`, `ubuntu`, …) is created in addition to `users`.
   * @default - true without `users`, false with `users`
   */
  readonly defaultUser?: boolean;
  /**
   * Groups to create, with their members.
   * @default - none
   */
  readonly groups?: { readonly [name: string]: string[] };
  /**
   * Packages to install: names, or names with a version.
   * @default - none
   */
  readonly packages?: (string | CloudPackage)[];
  /**
   * Whether the package lists are refreshed before packages are installed.
   * @default - decided by the guest
   */
  readonly packageUpdate?: boolean;
  /**
   * Whether all installed packages are upgraded.
   * @default false
   */
  readonly packageUpgrade?: boolean;
  /**
   * Whether the guest reboots when a package requires it.
   * @default false
   */
  readonly packageRebootIfRequired?: boolean;
  /**
   * Repositories for apt, by file name.
   * @default - the image's own repositories
   */
  readonly aptSources?: { readonly [name: string]: CloudAptSource };
  /**
   * Repositories for yum and dnf, by file name.
   * @default - the image's own repositories
   */
  readonly yumRepositories?: { readonly [name: string]: CloudYumRepository };
  /**
   * Commands to run early in each boot: shell lines, or lists of a program and its arguments.
   * @default - none
   */
  readonly bootcmd?: (string | string[])[];
  /**
   * Commands to run at the end of the first boot: shell lines, or lists of a program and its arguments.
   * @default - none
   */
  readonly runcmd?: (string | string[])[];
  /**
   * Files to write.
   * @default - none
   */
  readonly writeFiles?: CloudFile[];
  /**
   * Disks to partition, by device.
   * @default - none
   */
  readonly diskSetup?: { readonly [device: string]: CloudDiskLayout };
  /**
   * File systems to create.
   * @default - none
   */
  readonly fsSetup?: CloudFilesystem[];
  /**
   * File systems to mount.
   * @default - the image's own mounts
   */
  readonly mounts?: CloudMount[];
  /**
   * Swap file to create.
   * @default - none
   */
  readonly swap?: CloudSwap;
  /**
   * Settings for growing partitions after their disk has grown.
   * @default - the root partition grows
   */
  readonly growpart?: CloudGrowpart;
  /**
   * Whether the root file system grows to the size of its partition.
   * @default true
   */
  readonly resizeRootfs?: boolean;
  /**
   * Host name of the guest.
   * @default - name of the VM
   */
  readonly hostname?: string;
  /**
   * Fully qualified host name.
   * @default - none
   */
  readonly fqdn?: string;
  /**
   * Whether cloud-init maintains the guest's own names in /etc/hosts.
   * @default false
   */
  readonly manageEtcHosts?: boolean;
  /**
   * Locale, such as `C.UTF-8`.
   * @default - the image's locale
   */
  readonly locale?: string;
  /**
   * Time zone, such as `Europe/Prague`.
   * @default - the image's time zone
   */
  readonly timezone?: string;
  /**
   * Time synchronization.
   * @default - the image's settings
   */
  readonly ntp?: CloudNtp;
  /**
   * Certificate authorities to trust.
   * @default - the image's authorities
   */
  readonly caCerts?: CloudCaCerts;
  /**
   * Settings of the ssh server.
   * @default - the image's settings
   */
  readonly ssh?: CloudSsh;
  /**
   * Power state of the guest after cloud-init has finished.
   * @default - the guest keeps running
   */
  readonly powerState?: CloudPowerState;
  /**
   * Message that cloud-init prints on the console when it has finished.
   * @default - cloud-init's own message
   */
  readonly finalMessage?: string;
  /**
   * HTTP request that the guest sends when cloud-init has finished.
   * @default - no request
   */
  readonly phoneHome?: CloudPhoneHome;
  /**
   * Any other keys of cloud-config. They override the properties above.
   * @default - none
   */
  readonly raw?: { readonly [key: string]: unknown };
}
