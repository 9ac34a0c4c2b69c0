import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { integer } from '../options';
import type { UploadFlags } from '../upload/objects';

export function addImageUpload(program: Command): void {
  program
    .command('image-upload [kind] [name]')
    .summary('Upload a disk image into a DataVolume or PersistentVolumeClaim')
    .description(
      'Upload a disk image from this machine into a DataVolume (dv) or PersistentVolumeClaim (pvc), which is created unless ' +
        '--no-create is given. Images are raw, qcow2, vmdk, vdi, vhd or vhdx, also compressed as gz, xz or zst. An upload ' +
        'whose connection breaks continues where it ended.',
    )
    .option('--image-path <file>', 'Disk image to upload')
    .option('--archive-path <file>', 'Tar archive to unpack into the volume')
    .option('--size <quantity>', 'Size of the volume, such as 10Gi')
    .option('--storage-class <name>', 'Storage class of the volume')
    .option('--access-mode <mode>', 'Access mode of the volume, such as ReadWriteMany')
    .option('--volume-mode <mode>', 'Volume mode: block or filesystem')
    .option('--block-volume', 'Deprecated: use --volume-mode block')
    .option('--uploadproxy-url <url>', 'Address of the upload proxy (default: that of the CDIConfig)')
    .option('--insecure', 'Do not check the certificate of the upload proxy')
    .option('--no-create', 'Upload into an existing DataVolume or PersistentVolumeClaim')
    .option(
      '--wait-secs <seconds>',
      'Time to wait until the upload can begin, and until its image is converted',
      integer,
      300,
    )
    .option('--retry <count>', 'Number of times that a broken upload is continued', integer, 5)
    .option('--force-bind', 'Bind the volume before a Pod uses it, also if its class waits for the first consumer')
    .option('--datasource', 'Create a DataSource of the volume, from which VMs clone it')
    .option('--default-instancetype <name>', 'Instance type of VMs that boot from the volume')
    .option('--default-instancetype-kind <kind>', 'Kind of that instance type')
    .option('--default-preference <name>', 'Preference of VMs that boot from the volume')
    .option('--default-preference-kind <kind>', 'Kind of that preference')
    .option('--pvc-name <name>', 'Deprecated: write pvc NAME')
    .option('--pvc-size <quantity>', 'Deprecated: use --size')
    .addHelpText(
      'after',
      `
Examples:
  # Upload an image into a new DataVolume
  ${program.name()} image-upload dv fedora --size 10Gi --image-path fedora.qcow2
  # Upload into a claim that exists
  ${program.name()} image-upload pvc data --no-create --image-path data.img.xz`,
    )
    .action(async (kind: string | undefined, name: string | undefined, flags: UploadFlags, command: Command) => {
      const { Connection } = await import('../connection');
      const { runImageUpload } = await import('../upload/run');
      await runImageUpload(await Connection.open(command.optsWithGlobals<GlobalFlags>()), kind, name, flags);
    });
}
