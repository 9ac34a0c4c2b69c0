import { type Command, Option } from 'commander';
import { each } from '../options';
import type { RenderFlags } from '../render/run';

/** render: shows each step from a manifest to QEMU, without a cluster. */
export function addRender(program: Command): void {
  program
    .command('render <file...>')
    .summary('Show what the platform creates from a manifest')
    .description(
      'Show what the platform creates from manifests, without a cluster: the instance with every default, the ' +
        'verdict of admission, the launcher Pod, or the libvirt domain on a model node. A file may be a folder, or - ' +
        'for standard input. Exits with 1 if an object was rejected, with 2 if a file could not be read.',
    )
    .addOption(new Option('--to <stage>', 'What to show').choices(['vmi', 'verdict', 'pod', 'domain']).default('vmi'))
    .option('--config <file>', "File of the KubeVirt object whose configuration applies (default: KubeVirt's defaults)")
    .option('--with <file>', 'File of objects that the cluster would hold: claims, instancetypes, … (repeatable)', each)
    .option('--node <file>', 'File of differences between the node and the model node (docs/render.md)')
    .addOption(
      new Option('-o, --output <format>', 'Format (default: xml for a domain, json with --out, else yaml)').choices([
        'json',
        'yaml',
        'xml',
      ]),
    )
    .option('--out <dir>', 'Write a file per document, named after its input file, instead of printing it')
    .option('--fixed', 'Use stable uids, and xxxxx where the cluster would generate a suffix')
    .option('--emulation', 'Emulate, as on a node without KVM')
    .option('--launcher-image <ref>', "Image of the Pod's launcher", 'virt-launcher')
    .addHelpText('after', `\nExample:\n  ${program.name()} render vm.yaml --to domain`)
    .action(async (files: string[], flags: RenderFlags) => {
      const { runRender } = await import('../render/run');
      process.exitCode = await runRender(files, flags);
    });
}
