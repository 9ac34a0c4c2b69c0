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
 * conmon reads input from a SOCK_SEQPACKET socket, which Node.js does not support; perl-base, part of every Debian, does.
 * Output needs no socket: it is read from the log.
 */
const FEED = `
use Socket;
socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or die;
connect($s, pack_sockaddr_un($ARGV[0])) or die "$ARGV[0]: $!";
while (sysread(STDIN, my $data, 4096)) { send($s, $data, 0) or last }
`;

/** Connects a client to the streams of a container's main process. */
export function attach(paths: NodePaths, record: ContainerRecord, options: AttachOptions, socket: WebSocket): void {
  const stop = new AbortController();
  const feed = options.stdin
    ? spawn('perl', ['-e', FEED, 'attach'], {
        // a relative name, because the path of a socket is limited and container ids are long
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
