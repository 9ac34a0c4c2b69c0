import { Command } from 'commander';
import type { Option } from 'commander';
import { addCompletion } from './commands/completion';
import { addConsole } from './commands/console';
import { addDiff } from './commands/diff';
import { addBackup } from './commands/backup';
import { addDisks } from './commands/disks';
import { addDoctor } from './commands/doctor';
import { addEngine } from './commands/engine';
import { addExplain } from './commands/explain';
import { addGraph } from './commands/graph';
import { addGuestAgent } from './commands/guest-agent';
import { addImageUpload } from './commands/image-upload';
import { addImages } from './commands/images';
import { addImport } from './commands/import';
import { addInit } from './commands/init';
import { addNode } from './commands/node';
import { addPause } from './commands/pause';
import { addPortForward } from './commands/port-forward';
import { addReboot } from './commands/reboot';
import { addRender } from './commands/render';
import { addRestart } from './commands/restart';
import { addScp } from './commands/scp';
import { addService } from './commands/service';
import { addSsh } from './commands/ssh';
import { addStart } from './commands/start';
import { addStop } from './commands/stop';
import { addValidate } from './commands/validate';
import { addVersion } from './commands/version';
import { addMemoryDump } from './commands/memory-dump';
import { addVmExport } from './commands/vmexport';
import { addVnc } from './commands/vnc';
import { addVolumes } from './commands/volumes';
import { each } from './options';

/** Name in usage texts: `virt8s` or `kubectl virt`, as the user called it. */
const programName = (): string => process.env.VIRT8S_PROGRAM || 'virt8s';

/** Builds the command line interface. The code of each command is loaded when the command runs. */
export function createProgram(): Command {
  const program = new Command(programName());
  program
    .description('Run virtual machines on Kubernetes, or on this machine without a cluster.')
    .showHelpAfterError(false)
    .showSuggestionAfterError(true)
    .helpOption('-h, --help', 'Help about the command')
    .helpCommand('help [command]', 'Help about any command')
    .configureOutput({ outputError: (text, write) => write(text.replace(/\n(?=\()/g, ' ')) });

  addStart(program);
  addStop(program);
  addRestart(program);
  addPause(program);
  addReboot(program);
  addVolumes(program);
  addConsole(program);
  addVnc(program);
  addSsh(program);
  addScp(program);
  addPortForward(program);
  addGuestAgent(program);
  addDisks(program);
  addDoctor(program);
  addImageUpload(program);
  addVmExport(program);
  addMemoryDump(program);
  addRender(program);
  addValidate(program);
  addExplain(program);
  addDiff(program);
  addGraph(program);
  addImport(program);
  addInit(program);
  addVersion(program);
  addCompletion(program);
  // the kubectl plugin does not offer the local engine and image builds
  if (programName() === 'virt8s') {
    addEngine(program);
    addNode(program);
    addService(program);
    addBackup(program);
    addImages(program);
  }

  program
    .command('options')
    .description('Print the flags that all commands take')
    .summary('Print the flags that all commands take')
    .action(() => console.log(`The following options can be passed to any command:\n\n${globalOptions(program)}`));
  program
    .option('-n, --namespace <name>', 'Namespace of the request')
    .option('--kubeconfig <file>', 'Kubeconfig to use (default: the local engine if it is up, else ~/.kube/config)')
    .option('--context <name>', 'Context of the kubeconfig')
    .option('--cluster <name>', 'Cluster of the kubeconfig')
    .option('--user <name>', 'User of the kubeconfig')
    .option('-s, --server <url>', 'Address of the Kubernetes API server')
    .option('--token <token>', 'Bearer token for the API server')
    .option('--certificate-authority <file>', "Certificate authority of the API server's certificate")
    .option('--client-certificate <file>', 'Client certificate')
    .option('--client-key <file>', 'Key of the client certificate')
    .option('--tls-server-name <name>', "Name that the API server's certificate must carry")
    .option('--insecure-skip-tls-verify', "Do not check the API server's certificate")
    .option('--as <user>', 'User to impersonate')
    .option('--as-uid <uid>', 'UID to impersonate')
    .option('--as-group <group>', 'Group to impersonate (repeatable)', each)
    .option('-v, --verbose', 'Print the stack of an error', false);
  const usage = program.createHelp();
  program.configureHelp({
    sortSubcommands: true,
    // like kubectl: one line instead of twenty global flags under each command
    visibleOptions: (command) => usage.visibleOptions(command).filter((option) => !isGlobal(program, command, option)),
  });
  program.addHelpText('afterAll', `\nUse "${program.name()} options" for a list of flags that apply to all commands.`);
  return program;
}

const isGlobal = (program: Command, command: Command, option: Option): boolean =>
  command === program && option.attributeName() !== 'help';

function globalOptions(program: Command): string {
  const help = program.createHelp();
  const width = Math.max(...program.options.map((option) => option.flags.length));
  return program.options
    .map((option) => `  ${option.flags.padEnd(width)}  ${help.optionDescription(option)}`)
    .join('\n');
}
