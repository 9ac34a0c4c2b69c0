import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import { createWebSocketStream } from 'ws';
import type { WebSocket } from 'ws';
import { pauseUntilDrained, sendTo } from './channels';
import { SpdyServer } from './spdy';
import type { Alarm, SpdyStream } from './spdy';

/** Protocol of kubectl: SPDY/3.1 tunnelled in a websocket. */
export const SPDY_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';
/** Older protocol with two channels per port. */
export const PORT_FORWARD_PROTOCOLS = ['v4.channel.k8s.io', 'portforward.k8s.io'];

/**
 * Connects to a port of a Pod from within its network namespace, so that servers on 127.0.0.1 can be reached.
 * Standard error contains the cause of a failure. The send buffer is small, to detect a slow server.
 */
const CONNECT = `
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
my ($port) = @ARGV;
my $s;
for my $to ([AF_INET, pack_sockaddr_in($port, inet_aton("127.0.0.1"))],
            [AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, "::1"))]) {
  socket(my $try, $to->[0], SOCK_STREAM, 0) or next;
  setsockopt($try, SOL_SOCKET, SO_SNDBUF, pack("i", 131072));
  if (connect($try, $to->[1])) { $s = $try; last }
}
$s or die "dial tcp4 127.0.0.1:$port: connect: $!\\n";
my ($in, $out) = (1, 1);
while ($in || $out) {
  my $r = "";
  vec($r, 0, 1) = 1 if $in;
  vec($r, fileno($s), 1) = 1 if $out;
  select($r, undef, undef, undef) < 0 and next;
  if ($in && vec($r, 0, 1)) {
    my $n = sysread(STDIN, my $data, 65536);
    if ($n) { my $at = 0; while ($at < $n) { my $w = syswrite($s, $data, $n - $at, $at); last unless $w; $at += $w } }
    else { $in = 0; shutdown($s, 1) }
  }
  if ($out && vec($r, fileno($s), 1)) {
    my $n = sysread($s, my $data, 65536);
    if ($n) { my $at = 0; while ($at < $n) { my $w = syswrite(STDOUT, $data, $n - $at, $at); exit unless $w; $at += $w } }
    else { $out = 0; close(STDOUT); exit unless $in; exit }
  }
}
`;

function connectInPod(netns: string | undefined, port: number): ChildProcessWithoutNullStreams {
  const command = ['perl', '-e', CONNECT, String(port)];
  const [program = '', ...args] = netns ? ['nsenter', `--net=${netns}`, ...command] : command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return child;
}

/** Limit of ports per request: each needs a process. */
const MAX_PORTS = 16;

const validPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;

/** Forwards connections of kubectl: each has an error stream and a data stream, paired by their request id. */
export function tunnelPorts(netns: string | undefined, socket: WebSocket, alarm?: Alarm): void {
  const waiting = new Map<string, SpdyStream>();
  const duplex = createWebSocketStream(socket);
  duplex.on('error', () => socket.terminate());
  const server = new SpdyServer(
    duplex,
    (stream) => {
      const { streamtype: type, requestid = '', port = '' } = stream.headers;
      if (type === 'error') {
        // carries only errors; its end without data means success
        waiting.set(requestid, stream);
        stream.on('close', () => waiting.delete(requestid));
        // read its other half, which only ends: unread, it would stay open with the session
        stream.resume();
        return;
      }
      const errors = waiting.get(requestid);
      waiting.delete(requestid);
      forward(netns, Number(port), stream, errors);
    },
    alarm,
  );
  socket.on('close', () => server.close());
}

function forward(netns: string | undefined, port: number, stream: SpdyStream, errors?: SpdyStream): void {
  if (!validPort(port)) {
    errors?.end(`port ${port} is not valid (allowed: 1 to 65535)`);
    stream.resume().end();
    return;
  }
  const child = connectInPod(netns, port);
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-500)));
  // each side waits until the other has read the data
  stream.pipe(child.stdin);
  // drop data after the process has ended: unread, it would block the other connections of the session
  child.stdin.on('close', () => stream.resume());
  child.stdout.pipe(stream, { end: false });
  stream.on('close', () => endChild(child));
  child.on('close', () => {
    errors?.end(said ? `error forwarding port ${port} to pod: ${said.trim()}` : undefined);
    stream.end();
  });
}

/** Cleans up after a client has disconnected: kills the process and closes its pipes. */
function endChild(child: ChildProcessWithoutNullStreams): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.kill('SIGKILL');
}

/** Forwards ports on two channels each, data and error, which start with the port number. */
export function forwardPorts(netns: string | undefined, ports: readonly number[], socket: WebSocket): void {
  const wrong = ports.find((port) => !validPort(port));
  if (!ports.length || wrong !== undefined || ports.length > MAX_PORTS) {
    const why = wrong !== undefined ? `port ${wrong} is not valid` : `${ports.length} ports are requested`;
    return socket.close(1008, `${why} (allowed: 1 to ${MAX_PORTS} ports from 1 to 65535)`);
  }
  let open = ports.length;
  const children = ports.map((port, index) => {
    const child = connectInPod(netns, port);
    const send = (channel: number, data: Buffer): Promise<void> =>
      sendTo(socket, Buffer.concat([Buffer.from([channel]), data]));
    const number = Buffer.from([port & 0xff, port >> 8]);
    void send(index * 2, number);
    void send(index * 2 + 1, number);
    const pump = async (stream: Readable, channel: number): Promise<void> => {
      for await (const data of stream) await send(channel, data as Buffer);
    };
    // a copy ends with an error when its client disconnects
    void Promise.allSettled([pump(child.stdout, index * 2), pump(child.stderr, index * 2 + 1)]).then(() => {
      if (--open === 0) socket.close(1000);
    });
    return child;
  });
  socket.on('message', (data: Buffer) => {
    const stdin = children[(data[0] ?? 0) >> 1]?.stdin;
    if (stdin?.writable && !stdin.write(data.subarray(1))) pauseUntilDrained(socket, stdin);
  });
  socket.on('close', () => children.forEach(endChild));
  socket.on('error', () => socket.terminate());
}
