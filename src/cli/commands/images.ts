import type { Command } from 'commander';
import type { LoadFlags } from '../images/load';
import type { BuildFlags } from '../images/run';
import { imageNames } from '../images/names';

/** images: builds the platform's images from this package, pushes them to a registry, and loads others into the engine. */
export function addImages(program: Command): void {
  const images = program
    .command('images')
    .summary("Build the platform's images, load others")
    .description(
      'Build the images of the programs that VirtPlatform deploys, on this machine, from this package, and load other images ' +
        'into the local engine.',
    );
  images
    .command('build [name...]')
    .summary('Build images and push them to a registry')
    .description(
      `Build images (${imageNames.join(', ')}; default: all) from this package and Debian's packages, without a ` +
        'container engine. An image whose parts did not change is not built again. With --push, prints the properties ' +
        'of PlatformImages.of, each image by its digest. Without --push, the local engine gets the images as ' +
        'localhost/virt8s/NAME:TAG, and the paths of the OCI archives are printed. Each image has a bill of materials (CycloneDX) beside its ' +
        'archive; --push attaches it to the image. The image "engine" is built only by ' +
        'its name: its container runs virt8s up on machines without Debian.',
    )
    .option('--push <registry>', 'Push to this registry and path, with the login of skopeo, podman or docker')
    .option('--tag <tag>', "Tag of the images (default: this package's version)")
    .option('--output <dir>', 'Also write the OCI archives to this folder, as NAME.tar')
    .option('--lock <file>', 'Write the digests of the pushed images to this file, for PlatformImages.fromLock')
    .option('--arch <list>', 'Architectures: amd64, arm64, or both separated by a comma (default: amd64)')
    .option('--insecure-registry', 'Allow HTTP, and do not check the certificate of the registry')
    .option('--refresh', "Download Debian's packages again, for security updates")
    .option('--json', 'Print the references as JSON')
    .addHelpText('after', `\nExample:\n  ${program.name()} images build --push registry.example/virt8s`)
    .action(async (names: string[], flags: BuildFlags) => {
      const { runImagesBuild } = await import('../images/run');
      await runImagesBuild(names, flags);
    });
  images
    .command('load <source>')
    .summary('Load an image into the local engine')
    .description(
      'Copy an image of this machine to the local engine, whose Pods then use it without a registry: ' +
        "oci-archive:FILE, docker-archive:FILE, or containers-storage:NAME for an image of buildah's or podman's store. " +
        'A path without a transport is an OCI archive. Prints the reference that Pods give. Requires skopeo.',
    )
    .option('--name <reference>', 'Reference of the image (required for archives; default: its name in the store)')
    .addHelpText('after', `\nExample:\n  ${program.name()} images load containers-storage:localhost/web:v1`)
    .action(async (source: string, flags: LoadFlags) => {
      const { runImagesLoad } = await import('../images/load');
      await runImagesLoad(source, flags);
    });
}
