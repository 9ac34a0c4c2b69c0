/** Options of libvirt's QEMU command line that only serve libvirt: dropped with their value. */
const libvirtOnly = new Set(['-mon', '-add-fd', '-sandbox', '-msg', '-vnc', '-audiodev']);
/** Flags without a value that only serve libvirt. */
const libvirtFlags = new Set(['-S', '-no-shutdown']);

export interface BareOptions {
  /** Overlay to boot from instead of the VM's own. */
  readonly overlay: string;
  /** Port on 127.0.0.1 that leads to the guest's port 80. */
  readonly httpPort: number;
}

/**
 * The command line that libvirt gave QEMU -> the same machine, devices and disks for a QEMU started by hand: its own
 * overlay, user networking in place of the tap, and no sockets that libvirt holds. Pure.
 */
export function bareArguments(argv: readonly string[], { overlay, httpPort }: BareOptions): string[] {
  const args: string[] = [];
  for (let i = 1; i < argv.length; i++) {
    const option = argv[i]!;
    if (libvirtFlags.has(option)) continue;
    const value = argv[i + 1]?.startsWith('-') === false ? argv[++i]! : undefined;
    if (libvirtOnly.has(option) || (option === '-object' && value?.includes('"secret"'))) continue;
    if (option === '-chardev') {
      const id = /\bid=(\w+)/.exec(value!)?.[1];
      if (id === 'charmonitor') continue;
      args.push('-chardev', `null,id=${id}`);
    } else if (option === '-netdev') {
      const { id } = JSON.parse(value!) as { id: string };
      args.push('-netdev', `user,id=${id},hostfwd=tcp:127.0.0.1:${httpPort}-:80`);
    } else if (option === '-blockdev' && /ephemeral-disks\/disk-data\//.test(value!)) {
      args.push('-blockdev', JSON.stringify({ ...JSON.parse(value!), filename: overlay }));
    } else {
      args.push(option, ...(value === undefined ? [] : [value]));
    }
  }
  return [...args, '-display', 'none'];
}
