import type { Command } from 'commander';

interface Flags {
  stateDir?: string;
}

/** backup and restore: objects and authorities of the engine in one file. */
export function addBackup(program: Command): void {
  program
    .command('backup <file>')
    .summary('Back up the objects of the local engine')
    .description(
      'Write all objects and the certificate authorities of the local engine into an archive that only its owner can ' +
        'read. The engine may run: the objects are those of one moment.',
    )
    .option('--state-dir <dir>', 'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .option('--data', 'Also back up the data of claims. Stop the VMs first: their disks are copied one after the other')
    .addHelpText('after', `\nExample:\n  ${program.name()} backup engine.tar`)
    .action(async (file: string, options: Flags & { data?: boolean }) => {
      const { runBackup } = await import('../engine');
      await runBackup(file, options);
    });
  program
    .command('restore <file>')
    .summary('Restore a backup of the local engine')
    .description(
      'Replace all objects and certificate authorities of a stopped engine by those of a backup, and the data of claims ' +
        'if the backup has them. Afterwards, start the engine with up.',
    )
    .option('--state-dir <dir>', 'State folder of the engine (default: $VIRT8S_STATE_DIR or /var/lib/virt8s)')
    .addHelpText('after', `\nExample:\n  ${program.name()} down --keep-state && ${program.name()} restore engine.tar`)
    .action(async (file: string, options: Flags) => {
      const { runRestore } = await import('../engine');
      await runRestore(file, options);
    });
}
