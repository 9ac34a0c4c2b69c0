/**
 * Builds the virt-handler image for real clusters (the embedded engine runs the handler on the host): Debian's packages
 * for namespaces, network and mounts, QEMU for the KVM probe, Node, and the bundle.
 */
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tarDirectory, writeArchive } from '../launcher-image/oci';
import { SUITE } from '../launcher-image/recipe';
import { mirror, run } from '../launcher-image/run';

/** Debian packages: what `nsenter`, `mount`, `ip`, `nft`, `sh` and `qemu-system-x86_64` are in, and what Node links with. */
const PACKAGES = [
  ...['base-files', 'dash', 'coreutils', 'util-linux', 'mount', 'iproute2', 'nftables'],
  ...['qemu-system-x86', 'ca-certificates', 'libstdc++6'],
];

/** Nothing that the handler runs reads these. */
const EXCLUDED = [
  'doc',
  'man',
  'locale',
  'info',
  'lintian',
  'bug',
  'qemu',
  'qemu-efi-aarch64',
  'OVMF',
  'seabios',
  'icons',
];

/** Packages unpacked; no maintainer script runs, so nothing depends on this machine. */
async function packages(layer: string): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'virt-handler-packages-'));
  try {
    await chmod(root, 0o755);
    await run('mmdebstrap', [
      '--variant=extract',
      `--include=${PACKAGES.join(',')}`,
      '--aptopt=APT::Install-Recommends "false"',
      ...EXCLUDED.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
      '--dpkgopt=path-exclude=/usr/lib/x86_64-linux-gnu/qemu/*',
      SUITE,
      root,
      `deb ${await mirror()} ${SUITE} main`,
    ]);
    await rm(join(root, 'var/lib/apt'), { recursive: true, force: true });
    await tarDirectory(root, layer);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The pinned Node of package.json, and our bundle. */
async function ours(layer: string): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'virt-handler-root-'));
  try {
    await chmod(root, 0o755);
    await mkdir(join(root, 'usr/bin'), { recursive: true });
    await mkdir(join(root, 'usr/lib/virt-handler'), { recursive: true });
    await cp('node_modules/node/bin/node', join(root, 'usr/bin/node'));
    await chmod(join(root, 'usr/bin/node'), 0o755);
    await cp('build/virt-handler.cjs', join(root, 'usr/lib/virt-handler/virt-handler.cjs'));
    await tarDirectory(root, layer);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const out = process.argv[2];
  if (!out) throw new Error('usage: src/handler-image/build OUT.tar');
  await run('npx', ['tsx', 'scripts/bundle.ts', 'virt-handler']);
  const work = await mkdtemp(join(tmpdir(), 'virt-handler-image-'));
  try {
    const layers = [join(work, 'packages.tar'), join(work, 'ours.tar')];
    await packages(layers[0]);
    await ours(layers[1]);
    const digest = await writeArchive(out, layers, {
      env: ['PATH=/usr/sbin:/usr/bin'],
      entrypoint: ['/usr/bin/node', '/usr/lib/virt-handler/virt-handler.cjs'],
      user: '0:0',
      labels: { 'org.opencontainers.image.title': 'virt-handler' },
    });
    console.log(digest);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
