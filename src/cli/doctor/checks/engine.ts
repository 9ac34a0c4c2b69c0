import { error, warning, type Check, type Finding } from '../finding';
import type { EngineFacts, Facts } from '../facts';
import { counted, subjectOf } from '../words';

/** The engine of this machine: its process, its state directory, and what it left behind. */
export const engine: Check = { name: 'engine', reads: ['engine'], find };

/** Free space without which the engine does not start, and on which images and disks need more soon. */
const LEAST_BYTES = 2 ** 30;
const LITTLE_BYTES = 5 * 2 ** 30;

function find({ engine: facts }: Facts): Finding[] {
  if (!facts) return [];
  return [...ofProcess(facts), ...ofSpace(facts), ...ofKvm(facts), ...ofRestarts(facts), ...ofNodes(facts)];
}

function ofProcess({ record, isAlive, isRequested, commandVersion, stateDir, ...facts }: EngineFacts): Finding[] {
  const subject = `Engine in ${stateDir}`;
  const log = `${stateDir}/logs/engine.log`;
  if (isAlive && record) {
    if (!record.ready) {
      return [error(subject, `it has been starting since ${record.startedAt}`, `wait, or read its log: ${log}`)];
    }
    if (record.version === commandVersion) return [];
    const cause = `it has version ${record.version}, and this command has ${commandVersion}`;
    return [warning(subject, cause, 'virt8s up replaces it; VMs keep running')];
  }
  const left = leftovers(facts);
  if (!record) {
    if (left === '') {
      return isRequested ? [error(subject, 'it does not exist', `start it: virt8s up${flag(stateDir)}`)] : [];
    }
    return [error(subject, `it does not exist, but has left on this machine: ${left}`, `virt8s down${flag(stateDir)}`)];
  }
  const cause = `it does not run${left === '' ? '' : `, but has left on this machine: ${left}`}`;
  const remedy = `start it again, which takes over what runs: virt8s up${flag(stateDir)}; its log: ${log}; virt8s down removes it`;
  return [error(subject, cause, remedy)];
}

const flag = (stateDir: string): string => (stateDir === '/var/lib/virt8s' ? '' : ` --state-dir ${stateDir}`);

function leftovers({ leftProcesses, leftLinks }: Pick<EngineFacts, 'leftProcesses' | 'leftLinks'>): string {
  return [
    ...(leftProcesses > 0 ? [counted(leftProcesses, 'process')] : []),
    ...(leftLinks.length > 0 ? [counted(leftLinks.length, 'network link')] : []),
  ].join(' and ');
}

function ofSpace({ stateDir, freeBytes, totalBytes }: EngineFacts): Finding[] {
  const free = `${Math.floor(freeBytes / 2 ** 20)} MiB of ${Math.floor(totalBytes / 2 ** 30)} GiB are free`;
  const remedy = 'delete disks and images that are not needed, or move the state folder to a larger file system';
  if (freeBytes < LEAST_BYTES) return [error(`Folder ${stateDir}`, `${free}, and 1024 MiB are required`, remedy)];
  if (freeBytes < LITTLE_BYTES) return [warning(`Folder ${stateDir}`, free, remedy)];
  return [];
}

/** While the engine runs, the annotation of its node says more. */
function ofKvm({ isAlive, kvm }: EngineFacts): Finding[] {
  if (isAlive || kvm === 'present') return [];
  const remedy = 'enable virtualization in the firmware or the hypervisor and load the module kvm-intel or kvm-amd';
  return kvm === 'absent'
    ? [warning('/dev/kvm', 'it does not exist, so guests are emulated, many times slower', remedy)]
    : [warning('/dev/kvm', 'this user cannot open it', 'the engine runs as root; run this command with sudo')];
}

function ofRestarts({ restarts, stateDir }: EngineFacts): Finding[] {
  return Object.entries(restarts).map(([program, count]) =>
    warning(
      `Program ${program}`,
      `it ended ${count === 1 ? 'once' : `${count} times`} in the last ten minutes, and was started again`,
      `read its log: ${stateDir}/logs/${program}.log`,
    ),
  );
}

function ofNodes({ stoppedNodes, disconnectedNodes }: EngineFacts): Finding[] {
  return [
    ...(stoppedNodes.length > 0
      ? [warning(subjectOf('Node', stoppedNodes), 'it was stopped', `virt8s node start ${stoppedNodes[0]}`)]
      : []),
    ...(disconnectedNodes.length > 0
      ? [
          warning(
            subjectOf('Node', disconnectedNodes),
            'its link is unplugged',
            `virt8s node connect ${disconnectedNodes[0]}`,
          ),
        ]
      : []),
  ];
}
