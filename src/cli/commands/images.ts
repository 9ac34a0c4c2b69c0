import type { Command } from 'commander';
import type { BuildFlags } from '../images/run';
import { imageNames } from '../images/names';

/** images: builds the platform's images from this package and pushes them to a registry. */
export function addImages(program: Command): void {
  const images = program
    .command('images')
    .summary("Build the platform's images")
    .description('Build the images of the programs that VirtPlatform deploys, on this machine, from this package.');
  images
    .command('build [name...]')
    .summary('Build images and push them to a registry')
    .description(
      `Build images (${imageNames.join(', ')}; default: all) from this package and Debian's packages, without a ` +
        'container engine. An image whose parts did not change is not built again. With --push, prints the properties ' +
        'of PlatformImages.of, each image by its digest. Without --push, the local engine gets the images as ' +
        'localhost/virt8s/NAME:TAG, and the paths of the OCI archives are printed. The image "engine" is built only by ' +
        'its name: its container runs virt8s up on machines without Debian.',
    )
    .option('--push <registry>', 'Push to this registry and path, with the login of skopeo, podman or docker')
    .option('--tag <tag>', "Tag of the images (default: this package's version)")
    .option('--output <dir>', 'Also write the OCI archives to this folder, as NAME.tar')
    .option('--insecure-registry', 'Allow HTTP, and do not check the certificate of the registry')
    .option('--refresh', "Download Debian's packages again, for security updates")
    .option('--json', 'Print the references as JSON')
    .addHelpText('after', `\nExample:\n  ${program.name()} images build --push registry.example/virt8s`)
    .action(async (names: string[], flags: BuildFlags) => {
      const { runImagesBuild } = await import('../images/run');
      await runImagesBuild(names, flags);
    });
}
