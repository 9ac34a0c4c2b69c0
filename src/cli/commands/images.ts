import type { Command } from 'commander';
import type { BuildFlags } from '../images/run';
import { imageNames } from '../images/names';

/** images: what a cluster runs, from this package to a registry of the user's. */
export function addImages(program: Command): void {
  const images = program
    .command('images')
    .summary("Build the platform's images")
    .description('Images of the programs that VirtPlatform deploys, built on this machine from this package.');
  images
    .command('build [name...]')
    .summary('Build images and push them to a registry')
    .description(
      `Build images (${imageNames.join(', ')}; default: all) from this package and Debian's packages, without a ` +
        'container engine. An image whose parts did not change is not built again. With --push, the output is what ' +
        'PlatformImages.of takes, each image by its digest; without, the paths of the OCI archives.',
    )
    .option('--push <registry>', 'Push to this registry and path, with the login of skopeo, podman or docker')
    .option('--tag <tag>', "Tag in the registry (default: this package's version)")
    .option('--output <dir>', 'Also write the OCI archives there, as NAME.tar')
    .option('--insecure-registry', 'The registry speaks HTTP, or its certificate is not to be checked')
    .option('--refresh', "Take Debian's packages anew, as security updates ask for")
    .option('--json', 'Print the references as JSON')
    .addHelpText('after', `\nExample:\n  ${program.name()} images build --push registry.example/virt8s`)
    .action(async (names: string[], flags: BuildFlags) => {
      const { runImagesBuild } = await import('../images/run');
      await runImagesBuild(names, flags);
    });
}
