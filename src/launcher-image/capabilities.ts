/**
 * libvirt's probe of QEMU's capabilities, run at build time. Each start of a launcher would need 0.4 s for it.
 * The file contains the timestamps of the probed programs; virt-launcher-monitor inserts those of the Pod.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LibvirtClient } from '../runtime/launcher/libvirt/client';

const TIMES: Record<string, string> = {
  qemuctime: '@QEMU_CTIME@',
  qemumoddirmtime: '@MODULES_MTIME@',
  selfctime: '@LIBVIRT_CTIME@',
};

export interface Capabilities {
  /** libvirt's name for the file: a hash of QEMU's path. */
  name: string;
  /** Content with placeholders for the timestamps. */
  xml: string;
}

async function connect(socket: string): Promise<LibvirtClient> {
  for (let i = 0; ; i += 1) {
    try {
      return await LibvirtClient.open(socket);
    } catch (error) {
      if (i === 100) throw error;
      await sleep(100);
    }
  }
}

/** Runs libvirtd of the root file system, without network and KVM, and reads its capabilities. */
export async function probeCapabilities(root: string): Promise<Capabilities> {
  await mkdir(join(root, 'tmp'), { recursive: true });
  const home = await mkdtemp(join(root, 'tmp/capabilities-'));
  await chmod(home, 0o777);
  const inside = home.slice(root.length);
  const script = [
    'set -e',
    'mount -t proc proc "$1/proc"',
    'mount -t tmpfs -o size=1m,mode=755 tmpfs "$1/dev"',
    'for d in null zero random urandom; do touch "$1/dev/$d"; mount --bind "/dev/$d" "$1/dev/$d"; done',
    // Not `exec`: the shell reaps, and dies with unshare; a program that changes its user would not.
    'chroot --userspec=107:107 "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin "HOME=$2" "XDG_CACHE_HOME=$2" ' +
      '"XDG_CONFIG_HOME=$2" "XDG_RUNTIME_DIR=$2" libvirtd',
    'exit 0',
  ].join('\n');
  const args = ['--mount', '--pid', '--net', '--fork', '--kill-child=KILL', 'sh', '-c', script, 'sh', root, inside];
  const daemon = spawn('unshare', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  daemon.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  try {
    const client = await connect(join(home, 'libvirt/libvirt-sock')).catch((error: Error) => {
      throw new Error(`libvirtd of the image does not respond: ${error.message}\n${words}`);
    });
    await client.domainCapabilities('/usr/bin/qemu-system-x86_64', 'x86_64', 'q35', 'qemu');
    client.close();
    const directory = join(home, 'libvirt/qemu/cache/capabilities');
    const [name] = await readdir(directory);
    let xml = await readFile(join(directory, name!), 'utf8');
    for (const [element, placeholder] of Object.entries(TIMES)) {
      const pattern = new RegExp(`<${element}>\\d+</${element}>`);
      if (!pattern.test(xml) && element !== 'qemumoddirmtime')
        throw new Error(`libvirt's capabilities have no <${element}>`);
      xml = xml.replace(pattern, `<${element}>${placeholder}</${element}>`);
    }
    return { name: name!, xml };
  } finally {
    daemon.kill('SIGKILL');
    daemon.stderr.destroy();
    await rm(home, { recursive: true, force: true });
  }
}
