import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { AddVolumeOptions, Disk, KubeObject } from '../../api';
import type { GlobalFlags } from '../connection';
import { CliError, messageOf } from '../errors';

interface AddFlags {
  volumeName: string;
  serial?: string;
  cache?: string;
  persist?: boolean;
  dryRun?: boolean;
  diskType?: string;
  bus?: string;
}

/** virtctl's verbs. */
export function addVolumes(program: Command): void {
  program
    .command('addvolume <vm>')
    .summary('Add a volume to a running virtual machine')
    .description(
      'Add a volume to a running virtual machine: a DataVolume, or a claim, of this name. Without --persist, the volume is ' +
        'gone when the VM is restarted.',
    )
    .requiredOption('--volume-name <name>', 'Name of the DataVolume or claim, and of the disk')
    .option('--serial <serial>', 'Serial number of the disk. Default: the name of the volume')
    .option('--cache <mode>', 'Cache mode: none, writeback or writethrough')
    .option('--persist', 'Also add the volume to the VM, so that it is there after a restart')
    .option('--disk-type <type>', 'Type of the disk: disk or lun', oneOf('disk', 'lun'))
    .option('--bus <bus>', 'Bus of the disk: scsi or virtio', oneOf('scsi', 'virtio'))
    .option('--dry-run', 'Only check whether the request would succeed')
    .addHelpText(
      'after',
      `\nExample:\n  # Add DataVolume 'data' to the running virtual machine 'myvm', also after a restart\n  ${program.name()} addvolume myvm --volume-name=data --persist`,
    )
    .action((vm: string, flags: AddFlags, command: Command) => add(command.optsWithGlobals<GlobalFlags>(), vm, flags));
  program
    .command('removevolume <vm>')
    .summary('Remove a volume from a running virtual machine')
    .description('Remove a volume that was added to a running virtual machine. The guest should not use it any more.')
    .requiredOption('--volume-name <name>', 'Name of the volume')
    .option('--persist', 'Also remove the volume from the VM')
    .option('--dry-run', 'Only check whether the request would succeed')
    .addHelpText(
      'after',
      `\nExample:\n  # Remove volume 'data' from the running virtual machine 'myvm' and from its spec\n  ${program.name()} removevolume myvm --volume-name=data --persist`,
    )
    .action((vm: string, flags: Pick<AddFlags, 'volumeName' | 'persist' | 'dryRun'>, command: Command) =>
      remove(command.optsWithGlobals<GlobalFlags>(), vm, flags),
    );
}

const oneOf =
  (...allowed: string[]) =>
  (value: string): string => {
    if (allowed.includes(value)) return value;
    throw new InvalidArgumentError(`It must be ${allowed.join(' or ')}.`);
  };

async function add(globals: GlobalFlags, vm: string, flags: AddFlags): Promise<void> {
  const { Connection } = await import('../connection');
  const { isNotFound, pathOf, resources } = await import('../../client/kube');
  const connection = await Connection.open(globals);
  const name = flags.volumeName;
  const exists = async (resource: (typeof resources)['dataVolumes' | 'persistentVolumeClaims']): Promise<boolean> => {
    try {
      await connection.request<KubeObject>('GET', pathOf(resource, { namespace: connection.namespace, name }));
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
  const volumeSource = (await exists(resources.dataVolumes))
    ? { dataVolume: { name } }
    : (await exists(resources.persistentVolumeClaims))
      ? { persistentVolumeClaim: { claimName: name } }
      : undefined;
  if (!volumeSource) {
    throw new CliError(
      `error adding volume, Volume ${name} is not a DataVolume or PersistentVolumeClaim; create one of this name`,
    );
  }
  const device = { bus: (flags.bus ?? 'scsi') as 'scsi' };
  const disk: Disk = {
    name,
    serial: flags.serial ?? name,
    ...(flags.diskType === 'lun' ? { lun: device } : { disk: device }),
    ...(flags.cache && { cache: flags.cache as Disk['cache'] }),
  };
  const options: AddVolumeOptions = { name, disk, volumeSource, ...(flags.dryRun && { dryRun: ['All'] }) };
  await request(() => connection.act(flags.persist ? 'vm' : 'vmi', vm, 'addvolume', options), 'adding');
  if (flags.dryRun) console.log('Dry Run execution');
  console.log(`Successfully submitted add volume request to VM ${vm} for volume ${name}`);
}

async function remove(
  globals: GlobalFlags,
  vm: string,
  { volumeName: name, persist, dryRun }: Pick<AddFlags, 'volumeName' | 'persist' | 'dryRun'>,
): Promise<void> {
  const { Connection } = await import('../connection');
  const connection = await Connection.open(globals);
  const options = { name, ...(dryRun && { dryRun: ['All'] }) };
  await request(() => connection.act(persist ? 'vm' : 'vmi', vm, 'removevolume', options), 'removing');
  if (dryRun) console.log('Dry Run execution');
  console.log(`Successfully submitted remove volume request to VM ${vm} for volume ${name}`);
}

async function request(act: () => Promise<unknown>, doing: string): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new CliError(`error ${doing} volume, ${messageOf(error)}`);
  }
}
