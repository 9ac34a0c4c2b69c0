import type { Command } from 'commander';
import type { GlobalFlags } from '../connection';
import type { MemoryDumpFlags } from '../memory-dump/flags';
import { port } from '../options';

export function addMemoryDump(program: Command): void {
  program
    .command('memory-dump <action> <vm>')
    .summary('Dump the memory of a running virtual machine to a claim')
    .description(
      `Dump the memory of a running virtual machine to a claim. The action is get, download or remove.

get requests a dump, which is an ELF file in the claim. The guest is stopped while its memory is written. download waits \
until the dump is complete and writes it to a file. remove ends the association of VM and claim, so that another claim can be \
used; the claim and its file stay.`,
    )
    .option('--claim-name <name>', 'Claim for the dump. Default: the claim of the last dump')
    .option('--create-claim', 'Create the claim, with the size that the dump needs')
    .option('--storage-class <name>', 'Storage class of the claim that is created')
    .option('--access-mode <mode>', 'Access mode of the claim that is created: ReadWriteOnce or ReadWriteMany')
    .option('--output <file>', 'File to write; - is standard output')
    .option('--format <format>', 'gzip, an archive of the claim, or raw, the dump itself (default: gzip)')
    .option('--port-forward', 'Download through the API server, even if an Ingress exists')
    .option('--local-port <port>', 'Accepted for compatibility with virtctl; no local port is opened', port)
    .addHelpText(
      'after',
      `
Examples:
  # Dump the memory of 'myvm' to a new claim
  ${program.name()} memory-dump get myvm --claim-name=memory --create-claim
  # Dump it again, and download the dump
  ${program.name()} memory-dump get myvm --output=myvm.core --format=raw
  # Use another claim from now on
  ${program.name()} memory-dump remove myvm`,
    )
    .action(async (action: string, vm: string, flags: MemoryDumpFlags, command: Command) => {
      const { planOf } = await import('../memory-dump/flags');
      const plan = planOf(action, flags);
      const { Connection } = await import('../connection');
      const { runMemoryDump } = await import('../memory-dump/run');
      await runMemoryDump(await Connection.open(command.optsWithGlobals<GlobalFlags>()), vm, plan);
    });
}
