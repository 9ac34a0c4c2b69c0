import type { Command } from 'commander';
import type { ClusterFlags } from '../render/cluster';
import { each } from '../options';

/** explain: describes a field or the defaults of a manifest. */
export function addExplain(program: Command): void {
  program
    .command('explain <field-or-file>')
    .summary('Explain a field, or the defaults of a manifest')
    .description(
      'Explain a field of the API by its path (vm.spec.template.spec.domain.cpu), or a manifest: its mistakes with ' +
        'their lines or, if there are none, every value that the platform sets.',
    )
    .option('--config <file>', "File of the KubeVirt object whose configuration applies (default: KubeVirt's defaults)")
    .option('--with <file>', 'File of objects that the cluster would hold: claims, instancetypes, … (repeatable)', each)
    .addHelpText('after', `\nExample:\n  ${program.name()} explain vmi.spec.domain.devices.disks`)
    .action(async (what: string, flags: ClusterFlags) => {
      const { runExplain } = await import('../explain/run');
      process.exitCode = await runExplain(what, flags);
    });
}
