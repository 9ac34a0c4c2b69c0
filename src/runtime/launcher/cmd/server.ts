/** kubevirt.cmd.v1.Cmd: virt-handler's requests to this launcher. */
import { basename, dirname } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import type { BackupOptions } from '../../../api/generated/backup-v1alpha1';
import type { CmdResponse, VMIRequest } from '../../protocol';
// not from the index, which would load the kubelet's messages into each VM
import { CmdDefinition } from '../../protocol/generated/cmd';
import { CmdInfoDefinition } from '../../protocol/generated/cmd-info';
import { GrpcServer } from '../../protocol/http2/grpc';
import type { Listed } from '../../protocol/bounds';
import { boundGuestInfo } from '../../protocol/bounds';
import { isDnsSubdomain } from '../../../api/names';
import { plainText } from '../../../api/plain-text';
import { readFilesystems, readUsers } from '../guest-agent/agent';
import { type Ask, execInGuest } from '../guest-agent/probe';
import { log } from '../log';
import type { Guest } from '../vm/guest';
import type { BackupRequest } from '../vm/backup-plan';
import { DEFAULT_PATHS } from '../paths';
import { reportOf } from './report';
import { Refusal, refusalOf } from '../vm/refusal';

/** A VMI is at most as large as etcd allows. */
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
const MAX_CAUSE = 1_024;
/** The handler needs one connection; there may be a short overlap, or a second client. */
const MAX_CONNECTIONS = 4;
/** Timeout of the guest agent, if the request sets none. */
const DEFAULT_TIMEOUT_SECONDS = 5;
/** Time for which a guest stays frozen, if the request sets none. */
const DEFAULT_FREEZE_SECONDS = 300;

async function respond(name: string, action: () => Promise<void>): Promise<CmdResponse> {
  try {
    await action();
    return { success: true };
  } catch (error) {
    const { reason, message: cause } = refusalOf(error);
    const message = plainText(cause, MAX_CAUSE);
    log('warn', `${name} rejected`, { reason, error: message });
    return { success: false, reason, message };
  }
}

function vmiOf(request: VMIRequest): VirtualMachineInstance {
  const json = request.vmi?.vmiJson;
  if (!json?.length) throw new Refusal('NoVmi', 'the request has no VMI');
  const vmi = JSON.parse(Buffer.from(json).toString()) as VirtualMachineInstance;
  const { name, namespace, uid } = vmi.metadata;
  if (!name || !namespace || !uid) throw new Refusal('NoVmi', 'the VMI has no name, namespace or uid');
  return vmi;
}

function backupOf(json: Uint8Array | undefined): BackupRequest & { cmd: 'Start' | 'Abort' } {
  const options = JSON.parse(Buffer.from(json ?? []).toString()) as BackupOptions & {
    tracker?: string;
    volumes?: string[];
  };
  const { cmd, mode = 'Push', backupName, backupStartTime, targetPath = '', skipQuiesce = false, ...more } = options;
  // both are parts of a path
  if (!isDnsSubdomain(backupName ?? '') || !TIME.test(backupStartTime ?? ''))
    throw new Refusal('SyncFailed', 'the name or the start time of the backup is not valid');
  if (cmd !== 'Start' && cmd !== 'Abort') throw new Refusal('SyncFailed', `backups have no command ${cmd}`);
  if (cmd === 'Start' && (!['Push', 'Pull'].includes(mode) || !isVolume(targetPath)))
    throw new Refusal(
      'SyncFailed',
      `a backup is written to a volume that virt-handler provides, not to "${targetPath}"`,
    );
  const isPull = mode === 'Pull';
  const { incremental, tracker, volumes } = more;
  const identity = { name: backupName!, startedAt: backupStartTime! };
  return { cmd, ...identity, skipQuiesce, isPull, targetPath, tracker, incremental, ...(volumes && { volumes }) };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[Z.]/;

const isVolume = (path: string): boolean => dirname(path) === DEFAULT_PATHS.hotplugDisks && basename(path) !== '..';

/** Serves a unix socket until closed. `onDelete`: the handler does not need this Pod any more. */
export function serveCmd(guest: Guest, uid: string | undefined, onDelete: () => void): GrpcServer {
  const server = new GrpcServer({
    maxMessageBytes: MAX_MESSAGE_BYTES,
    maxBufferedBytes: 2 * MAX_MESSAGE_BYTES,
    maxConnections: MAX_CONNECTIONS,
  });
  const listed = async (
    read: () => Promise<Listed<object>>,
  ): Promise<{ response: CmdResponse; list: Listed<object> }> => {
    let list: Listed<object> = { items: [], omitted: 0 };
    const response = await respond('query', async () => void (list = await read()));
    return { response, list };
  };
  const ask: Ask = (command, args, timeoutSeconds) => guest.askAgent(command, args, timeoutSeconds);
  server.add(CmdDefinition, {
    syncVirtualMachine: async (request) => {
      let notApplied: string[] = [];
      const response = await respond('sync', async () => {
        const vmi = vmiOf(request);
        if (uid && vmi.metadata.uid !== uid) {
          throw new Refusal('WrongVmi', `this Pod serves VMI ${uid}, not ${vmi.metadata.uid}`);
        }
        notApplied = await guest.sync(vmi, request.options ?? {});
      });
      return { ...response, notApplied };
    },
    pauseVirtualMachine: () => respond('pause', () => guest.pause()),
    unpauseVirtualMachine: () => respond('unpause', () => guest.unpause()),
    freezeVirtualMachine: ({ unfreezeTimeoutSeconds }) =>
      respond('freeze', () => guest.freeze((unfreezeTimeoutSeconds || DEFAULT_FREEZE_SECONDS) * 1_000)),
    unfreezeVirtualMachine: () => respond('unfreeze', () => guest.thaw()),
    resetVirtualMachine: () => respond('reset', () => guest.reset()),
    softRebootVirtualMachine: () => respond('soft reboot', () => guest.softReboot()),
    shutdownVirtualMachine: () => respond('shutdown', () => guest.shutdown()),
    killVirtualMachine: () => respond('kill', () => guest.kill()),
    deleteVirtualMachine: () => respond('delete', () => Promise.resolve(onDelete())),
    virtualMachineMemoryDump: ({ dumpPath = '' }) => respond('memory dump', () => guest.dumpMemory(dumpPath)),
    backupVirtualMachine: ({ vmi, options }) =>
      respond('backup', async () => {
        const { cmd, ...request } = backupOf(options);
        await guest.backup(cmd, request, vmiOf({ vmi }));
      }),
    getDomain: async () => {
      let domain = '';
      const response = await respond('get domain', async () => {
        const { current } = guest;
        domain = current.status === 'NoState' ? '' : reportOf(current);
      });
      return { response, domain };
    },
    getDomainStats: async () => {
      let domainStats = '';
      const response = await respond('statistics', async () => {
        domainStats = JSON.stringify(await guest.stats());
      });
      return { response, domainStats };
    },
    getGuestInfo: async () => {
      let json = '';
      const response = await respond('query', async () => {
        await guest.askAgent('guest-ping');
        const { version, supportedCommands, os, hostname } = guest.agentReport!;
        const commands = supportedCommands.map((name) => ({ name, enabled: true }));
        const info = { guestAgentVersion: version, supportedCommands: commands, hostname, os };
        json = JSON.stringify(boundGuestInfo(info));
      });
      return { response, guestInfoResponse: json };
    },
    getUsers: async () => {
      const { response, list } = await listed(async () => readUsers(await guest.askAgent('guest-get-users')));
      return { response, guestUserListResponse: JSON.stringify(list.items), omitted: list.omitted };
    },
    getFilesystems: async () => {
      const { response, list } = await listed(async () => readFilesystems(await guest.askAgent('guest-get-fsinfo')));
      return { response, guestFilesystemsResponse: JSON.stringify(list.items), omitted: list.omitted };
    },
    ping: () => ({ success: true }),
    exec: async ({ Command: program = '', args = [], timeoutSeconds }) => {
      let [exitCode, stdOut] = [0, ''];
      const response = await respond('exec', async () => {
        const result = await execInGuest(ask, [program, ...args], timeoutSeconds || DEFAULT_TIMEOUT_SECONDS);
        [exitCode, stdOut] = [result.exitCode, result.stdout];
      });
      return { response, exitCode, stdOut };
    },
    guestPing: async ({ timeoutSeconds }) => ({
      response: await respond('guest ping', async () => {
        await ask('guest-ping', undefined, timeoutSeconds || DEFAULT_TIMEOUT_SECONDS);
      }),
    }),
  });
  server.add(CmdInfoDefinition, { info: () => ({ supportedCmdVersions: ['1'] }) });
  return server;
}
