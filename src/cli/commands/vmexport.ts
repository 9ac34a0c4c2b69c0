import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import { each, integer, port } from '../options';
import type { ExportFlags } from '../vmexport/flags';

export function addVmExport(program: Command): void {
  program
    .command('vmexport <action> <export>')
    .summary('Export disks and manifests of virtual machines')
    .description(
      `Export disks and manifests of virtual machines. The action is create, download or delete.

download waits until the export is ready and writes a disk, or the manifests of its VM, to a file or to standard output. \
With --vm, --snapshot or --pvc it creates the export before, and deletes it afterwards. A broken connection is resumed, and \
the checksum of the disk is verified. Without an Ingress for exports, the download passes through the API server.`,
    )
    .option('--vm <name>', 'Virtual machine to export; it must be stopped')
    .option('--snapshot <name>', 'Snapshot of a virtual machine to export')
    .option('--pvc <name>', 'PersistentVolumeClaim to export')
    .option('--ttl <duration>', 'Lifetime of the export, such as 30m (default: 2h)')
    .option('--labels <key=value,...>', 'Labels of the export and its Pod (repeatable)', each)
    .option('--annotations <key=value,...>', 'Annotations of the export and its Pod (repeatable)', each)
    .option('--volume <name>', 'Volume to download, if the export has several')
    .option('--output <file>', 'File to write; - is standard output')
    .option('--format <format>', 'gzip or raw (default: gzip)')
    .option('--manifest', 'Write the manifests of the VM instead of a disk')
    .option('--manifest-output-format <format>', 'yaml or json (default: yaml)')
    .option('--include-secret', 'Also write the Secret with the token that an import with the manifests needs')
    .option('--keep-vme', 'Keep the export after the download')
    .option('--delete-vme', 'Delete the export after the download')
    .option('--port-forward', 'Download through the API server, even if an Ingress exists')
    .option('--local-port <port>', 'Accepted for compatibility with virtctl; no local port is opened', port)
    .option('--service-url <host>', 'Host and port of a Service or node at which the exporter can be reached')
    .option('--insecure', 'Do not verify the certificate of the exporter')
    .option('--readiness-timeout <duration>', 'Time to wait until the export is ready (default: 2m)')
    .option('--retry <count>', 'Number of attempts after failures', integer)
    .addHelpText(
      'after',
      `
Examples:
  # Download the disk of the stopped VM 'myvm'
  ${program.name()} vmexport download myexport --vm myvm --output disk.img.gz
  # Download one of several volumes of an existing export, decompressed
  ${program.name()} vmexport download myexport --volume data --format raw --output data.img
  # Manifests that import the VM elsewhere
  ${program.name()} vmexport download myexport --vm myvm --manifest --include-secret > vm.yaml`,
    )
    .action(async (action: string, name: string, flags: ExportFlags, command: Command) => {
      const { planOf } = await import('../vmexport/flags');
      const plan = planOf(action, name, flags);
      const { Connection } = await import('../connection');
      const { runVmExport } = await import('../vmexport/run');
      await runVmExport(await Connection.open(command.optsWithGlobals<GlobalFlags>()), plan);
    });
}
