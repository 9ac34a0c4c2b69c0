import type { Command } from 'commander';
import type { ClusterFlags } from '../render/cluster';
import { each } from '../options';

/** explain: a field, or a manifest. */
export function addExplain(program: Command): void {
  program
    .command('explain <field-or-file>')
    .summary('Explain a field, or what becomes of a manifest')
    .description(
      'Explain a field of the API by its path (vm.spec.template.spec.domain.cpu), or a manifest: its mistakes with ' +
        'their lines, or else every value that the platform fills in.',
    )
    .option('--config <file>', 'KubeVirt object whose configuration holds (default: none, so every default)')
    .option('--with <file>', 'Objects that the cluster would hold: claims, instancetypes, … (repeatable)', each)
    .addHelpText('after', `\nExample:\n  ${program.name()} explain vmi.spec.domain.devices.disks`)
    .action(async (what: string, flags: ClusterFlags) => {
      const { runExplain } = await import('../explain/run');
      process.exitCode = await runExplain(what, flags);
    });
}
