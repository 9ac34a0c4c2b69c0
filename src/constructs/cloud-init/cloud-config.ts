import type { CloudFile } from './cloud-file';
import type { CloudAptSource, CloudPackage, CloudYumRepository } from './cloud-packages';
import type { CloudDiskLayout, CloudFilesystem, CloudGrowpart, CloudMount, CloudSwap } from './cloud-storage';
import type { CloudCaCerts, CloudNtp, CloudPhoneHome, CloudPowerState, CloudSsh } from './cloud-system';
import type { CloudUser } from './cloud-user';

/** What cloud-init does in the guest: a `#cloud-config`. It is checked by cloud-init's own schema. */
export interface CloudConfigProps {
  /**
   * Users to make.
   * @default - only those of the image
   */
  readonly users?: CloudUser[];
  /**
   * Makes the image's own user (`fedora`, `debian`, `ubuntu`, …) beside those of `users`.
   * @default - true without `users`, else false
   */
  readonly defaultUser?: boolean;
  /**
   * Groups to make, with their members.
   * @default - none
   */
  readonly groups?: { readonly [name: string]: string[] };
  /**
   * Packages to install: names, or a name with a version.
   * @default - none
   */
  readonly packages?: (string | CloudPackage)[];
  /**
   * Refresh the package lists first.
   * @default - whatever the guest does
   */
  readonly packageUpdate?: boolean;
  /**
   * Upgrade all packages.
   * @default false
   */
  readonly packageUpgrade?: boolean;
  /**
   * Boot again when a package asks for that.
   * @default false
   */
  readonly packageRebootIfRequired?: boolean;
  /**
   * Repositories for apt, by the name of their file.
   * @default - those of the image
   */
  readonly aptSources?: { readonly [name: string]: CloudAptSource };
  /**
   * Repositories for yum and dnf, by the name of their file.
   * @default - those of the image
   */
  readonly yumRepositories?: { readonly [name: string]: CloudYumRepository };
  /**
   * Commands to run early at each boot: shell lines, or lists of a program and its arguments.
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
   * File systems to make.
   * @default - none
   */
  readonly fsSetup?: CloudFilesystem[];
  /**
   * What to mount.
   * @default - what the image mounts
   */
  readonly mounts?: CloudMount[];
  /**
   * A swap file to make.
   * @default - none
   */
  readonly swap?: CloudSwap;
  /**
   * How partitions follow a disk that grew.
   * @default - that of / does
   */
  readonly growpart?: CloudGrowpart;
  /**
   * Grows the root file system to its partition.
   * @default true
   */
  readonly resizeRootfs?: boolean;
  /**
   * Host name of the guest.
   * @default - name of the VM
   */
  readonly hostname?: string;
  /**
   * Host name with its domain.
   * @default - none
   */
  readonly fqdn?: string;
  /**
   * Keeps the guest's own names in /etc/hosts.
   * @default false
   */
  readonly manageEtcHosts?: boolean;
  /**
   * Locale, such as `C.UTF-8`.
   * @default - the image's
   */
  readonly locale?: string;
  /**
   * Time zone, such as `Europe/Prague`.
   * @default - the image's
   */
  readonly timezone?: string;
  /**
   * Where the clock comes from.
   * @default - as in the image
   */
  readonly ntp?: CloudNtp;
  /**
   * Authorities to trust.
   * @default - those of the image
   */
  readonly caCerts?: CloudCaCerts;
  /**
   * The ssh server.
   * @default - as in the image
   */
  readonly ssh?: CloudSsh;
  /**
   * What becomes of the guest at the end.
   * @default - it runs on
   */
  readonly powerState?: CloudPowerState;
  /**
   * What is written on the console at the end.
   * @default - cloud-init's own
   */
  readonly finalMessage?: string;
  /**
   * Whom to tell at the end.
   * @default - nobody
   */
  readonly phoneHome?: CloudPhoneHome;
  /**
   * Any other key of cloud-config. Wins over the properties above.
   * @default - none
   */
  readonly raw?: { readonly [key: string]: unknown };
}
