/**
 * Builds an image in which `virt8s up` runs, for machines without Debian: the commands that the engine starts, Node, this
 * package, and the images of its Pods. Its container needs `--privileged`, and a volume for its state.
 */
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { QEMU_DATA } from '../handler-image/image';
import { cached, layerName, nodeLayer, withRoot, type ImageParts } from '../launcher-image/layers';
import { tarDirectory, writeArchive } from '../launcher-image/oci';
import { unpackPackages } from '../launcher-image/rootfs';
import { enginePackages } from '../local/engine/debian';
import { addToIndex } from '../local/images';

const RECIPE = {
  /** Packages of the engine's commands, of a shell, and of what skopeo and Node.js need. */
  packages: [
    ...['base-files', 'base-passwd', 'dash', 'coreutils', 'findutils', 'tar', 'gzip', 'procps', 'kmod'],
    ...['ca-certificates', 'golang-github-containers-common', 'libstdc++6', 'libcap2-bin'],
    ...enginePackages,
  ],
  excluded: QEMU_DATA,
  /** Directories that are emptied: the container runtime provides devices, and rejects images that contain some. */
  emptied: ['var/lib/apt', 'var/cache/apt', 'dev'],
};

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
async function packages(refresh?: boolean): Promise<string> {
  const folder = await cached(
    layerName('engine', RECIPE),
    (work) =>
      withRoot(async (root) => {
        const options = RECIPE.excluded.map((path) => `--dpkgopt=path-exclude=${path}`);
        await unpackPackages(RECIPE.packages, root, options);
        for (const path of RECIPE.emptied) {
          await rm(join(root, path), { recursive: true, force: true });
          await mkdir(join(root, path));
        }
        for (const name of ['passwd', 'group']) {
          await cp(join(root, `usr/share/base-passwd/${name}.master`), join(root, 'etc', name));
        }
        await trustAuthorities(root);
        await tarDirectory(root, join(work, 'layer.tar'));
      }),
    refresh,
  );
  return join(folder, 'layer.tar');
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
async function ours(layer: string, { bundles, packageRoot, images }: EngineParts): Promise<string> {
  await withRoot(async (root) => {
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
    await tarDirectory(root, layer);
  });
  return layer;
}

/** Writes the image archive. Returns the digest of its manifest. */
export async function buildEngine(out: string, parts: EngineParts): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'engine-image-'));
  try {
    const layers = await Promise.all([
      packages(parts.refresh),
      nodeLayer(parts.node),
      ours(join(work, 'ours.tar'), parts),
    ]);
    return await writeArchive(out, layers, {
      env: ['PATH=/usr/sbin:/usr/bin', `VIRT8S_CACHE=/${CACHE}`],
      entrypoint: ['/usr/bin/virt8s'],
      command: ['up', '--foreground'],
      volumes: ['/var/lib/virt8s'],
      user: '0:0',
      labels: { 'org.opencontainers.image.title': 'virt8s engine' },
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
