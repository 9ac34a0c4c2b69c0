/**
 * Builds an image in which `virt8s up` runs, for machines without Debian: the commands that the engine starts, Node, this
 * package, and the images of its Pods. Its container needs `--privileged`, and a volume for its state.
 */
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Architecture } from '../launcher-image/arch';
import { unpackPackages, writePackageList } from '../launcher-image/debian';
import { nodeLayer, packageLayer, withRoot, type Image, type ImageParts } from '../launcher-image/layers';
import { writeArchive, writeLayer, type Layer } from '../launcher-image/oci';
import { run } from '../launcher-image/run';
import { enginePackages } from '../local/engine/debian';
import { addToIndex } from '../local/images';

/** Files of QEMU's packages that the engine does not read: its guests run in the launcher's image. */
const QEMU_DATA: readonly string[] = [
  ...['qemu', 'qemu-efi-aarch64', 'OVMF', 'seabios', 'icons'].map((name) => `/usr/share/${name}/*`),
  '/usr/lib/x86_64-linux-gnu/qemu/*',
];

const recipeOf = ({ name }: Architecture) => ({
  architecture: name,
  /** Packages of the engine's commands, of a shell, and of what skopeo and Node.js need. */
  packages: [
    ...['base-files', 'base-passwd', 'dash', 'coreutils', 'findutils', 'tar', 'gzip', 'procps', 'kmod'],
    ...['ca-certificates', 'golang-github-containers-common', 'libstdc++6', 'libcap2-bin'],
    ...enginePackages,
  ],
  excluded: QEMU_DATA,
  /** Directories that are emptied: the container runtime provides devices, and rejects images that contain some. */
  emptied: ['var/lib/apt', 'var/cache/apt', 'dev'],
});

/** Folder of the package in the image, and of its cache. */
const PACKAGE = 'usr/lib/virt8s';
const CACHE = 'var/cache/virt8s';

/** Sources of the layer with this package. */
export interface EngineParts extends ImageParts {
  /** Folder of the package: its command is in `bin` and `build/virt8s`. */
  readonly packageRoot: string;
  /** OCI archives of the images of its Pods, by reference. */
  readonly images: Readonly<Record<string, string>>;
}

/** Unpacks the packages. No maintainer script runs, so files that such scripts create are written here. */
function packages({ architecture, refresh }: ImageParts): ReturnType<typeof packageLayer> {
  const recipe = recipeOf(architecture);
  const fill: Parameters<typeof packageLayer>[2] = async (root) => {
    const { packages: unpacked } = await unpackPackages(recipe.packages, root, {
      architecture: recipe.architecture,
      excluded: recipe.excluded,
    });
    for (const path of recipe.emptied) {
      await rm(join(root, path), { recursive: true, force: true });
      await mkdir(join(root, path));
    }
    for (const name of ['passwd', 'group']) {
      await cp(join(root, `usr/share/base-passwd/${name}.master`), join(root, 'etc', name));
    }
    // root needs no program with the rights of its owner, and others must not have one
    await run('chmod', ['-R', 'u-s,g-s', join(root, 'usr')]);
    await trustAuthorities(root);
    await writePackageList(root, unpacked);
    return unpacked;
  };
  return packageLayer('engine', recipe, fill, refresh);
}

/** Writes the file of authorities that programs read, as `update-ca-certificates` does. */
async function trustAuthorities(root: string): Promise<void> {
  const folder = join(root, 'usr/share/ca-certificates/mozilla');
  await mkdir(join(root, 'etc/ssl/certs'), { recursive: true });
  for (const name of (await readdir(folder)).sort()) {
    await appendFile(join(root, 'etc/ssl/certs/ca-certificates.crt'), await readFile(join(folder, name)));
  }
}

/** The package, its programs unpacked, and the images of the engine's Pods. */
function ours(folder: string, { bundles, packageRoot, images }: EngineParts): Promise<Layer> {
  return withRoot(async (root) => {
    const target = join(root, PACKAGE);
    await cp(bundles, join(target, 'build'), {
      recursive: true,
      filter: (path) => path === bundles || !/\/build\/(packed|contents|virt8s|images|programs\.br)$/.test(path),
    });
    await cp(join(packageRoot, 'build/virt8s'), join(target, 'build/virt8s'), { recursive: true });
    await cp(join(packageRoot, 'bin'), join(target, 'bin'), { recursive: true });
    await cp(join(packageRoot, 'package.json'), join(target, 'package.json'));
    await mkdir(join(root, 'usr/bin'), { recursive: true });
    await symlink('../lib/virt8s/bin/virt8s', join(root, 'usr/bin/virt8s'));
    await mkdir(join(root, CACHE, 'images'), { recursive: true });
    for (const [reference, source] of Object.entries(images)) {
      const archive = join(root, CACHE, 'images', basename(source));
      await cp(source, archive);
      await addToIndex(join(root, CACHE, 'images'), reference, archive);
    }
    await chmod(join(target, 'bin/virt8s'), 0o755);
    await mkdir(join(root, 'var/lib/virt8s'), { recursive: true });
    return writeLayer(root, folder);
  });
}

/** Writes the image archive. */
export async function buildEngine(out: string, parts: EngineParts): Promise<Image> {
  const work = await mkdtemp(join(tmpdir(), 'engine-image-'));
  try {
    const layers = await Promise.all([packages(parts), nodeLayer(parts), ours(work, parts)]);
    const digest = await writeArchive(out, layers, {
      architecture: parts.architecture,
      env: ['PATH=/usr/sbin:/usr/bin', `VIRT8S_CACHE=/${CACHE}`],
      entrypoint: ['/usr/bin/virt8s'],
      command: ['up', '--foreground'],
      volumes: ['/var/lib/virt8s'],
      user: '0:0',
      labels: { 'org.opencontainers.image.title': 'virt8s engine' },
    });
    return { digest, packages: layers[0].packages };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
