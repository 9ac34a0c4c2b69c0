import { spawn } from 'node:child_process';
import type { WebSocket } from 'ws';
import { control } from '../pods/rotation';
import type { ContainerRecord } from '../pods/record';
import type { NodePaths } from '../pods/paths';
import { CHANNEL, exitStatus, failureStatus, StreamSocket } from './channels';
import { sendLog } from './logs';

export interface AttachOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/**
 * conmon takes input on a SOCK_SEQPACKET socket, which Node does not speak; perl-base, which every Debian has, does.
 * Output needs no socket: it is in the log as soon as it is written.
 */
const FEED = `
use Socket;
socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or die;
connect($s, pack_sockaddr_un($ARGV[0])) or die "$ARGV[0]: $!";
while (sysread(STDIN, my $data, 4096)) { send($s, $data, 0) or last }
`;

/** Connects a client with a container's own streams. */
export function attach(paths: NodePaths, record: ContainerRecord, options: AttachOptions, socket: WebSocket): void {
  const stop = new AbortController();
  const feed = options.stdin
    ? spawn('perl', ['-e', FEED, 'attach'], {
        // by a relative name: addresses of sockets are short, container ids are long
        cwd: paths.container(record.id),
        stdio: ['pipe', 'ignore', 'ignore'],
      })
    : undefined;
  feed?.stdin.on('error', () => undefined);
  feed?.on('error', () => undefined);
  const streams = new StreamSocket(socket, {
    stdin: feed?.stdin,
    stdinEnd: () => void feed?.stdin.end(),
    resize: (columns, rows) =>
      void control(paths.container(record.id, 'ctl'), `1 ${rows} ${columns}\n`).catch(() => undefined),
    closed: () => stop.abort(),
  });
  const stream = options.stdout === options.stderr ? undefined : options.stdout ? 'stdout' : 'stderr';
  sendLog(
    paths.container(record.id, 'log'),
    { follow: true, tailLines: 0, stream },
    async (line, text) => {
      await streams.send(CHANNEL[line.stream], text);
      return !stop.signal.aborted;
    },
    () => record.exit !== undefined,
    stop.signal,
  )
    .then(() => (stop.signal.aborted ? undefined : streams.finish(exitStatus(record.exit?.code ?? 0))))
    .catch((error: unknown) => streams.finish(failureStatus(String(error))))
    .finally(() => {
      feed?.stdin.destroy();
      feed?.kill('SIGKILL');
    });
}
