/** The handler's side of two launchers, in a process of its own so that its memory can be measured. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Launcher } from '../../../../../src/runtime/handler/launcher/launcher';
import { MAX_BUFFERED_BYTES, MAX_CONNECTIONS } from '../../../../../src/runtime/handler/launcher/limits';
import { NotifyServer } from '../../../../../src/runtime/handler/launcher/notify-server';
import { PodVolumes } from '../../../../../src/runtime/handler/paths/pod-volumes';
import { GrpcServer, NotifyDefinition } from '../../../../../src/runtime/protocol';
import { MAX_REPORT_BYTES } from '../../../../../src/runtime/protocol/bounds';

export interface Measured {
  /** Bytes that are held after garbage collection. */
  held: number;
  /** Highest resident size since the last measurement, in bytes. */
  peak: number;
  sockets: number;
  states: number;
  events: number;
  looks: number;
  calls: number;
}

process.on('warning', (warning) => {
  // listeners that are added and never removed
  if (warning.name === 'MaxListenersExceededWarning') throw warning;
});
const [dir, unmetered] = process.argv.slice(2);
const counts = { states: 0, events: 0, looks: 0, calls: 0 };
const volumes = new PodVolumes(dir);
const launcher = new Launcher('hostile', volumes, () => counts.looks++);

function measure(): Measured {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  // not getrusage, whose figure includes the process that forked this one
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024;
  writeFileSync('/proc/self/clear_refs', '5');
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
  return { ...counts, held: heapUsed + external, peak, sockets };
}

async function main(): Promise<void> {
  const domain = (): void => void counts.states++;
  const event = (): void => void counts.events++;
  await NotifyServer.listen('honest', volumes, { domain, event });
  await NotifyServer.listen('hostile', volumes, { domain, event });
  // the same without a limit on bytes and calls per second, so that a test can send much in little time
  const limits = {
    maxMessageBytes: MAX_REPORT_BYTES,
    maxBufferedBytes: MAX_BUFFERED_BYTES,
    maxConnections: MAX_CONNECTIONS,
  };
  await new GrpcServer(limits)
    .add(NotifyDefinition, { handleDomainEvent: () => ({ success: true }) })
    .listen(unmetered);
  process.on('message', (what: 'measure' | 'domain') => {
    if (what === 'measure') return void process.send?.(measure());
    const counted = (): number => counts.calls++;
    launcher.domain().then(counted, counted);
  });
  process.send?.(measure());
}

void main();
