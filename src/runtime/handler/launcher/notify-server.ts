import { EventReason } from '../../../api/reasons';
import type { DomainState } from '../../protocol';
import { GrpcServer, NotifyDefinition, NotifyInfoDefinition } from '../../protocol';
import { MAX_REPORT_BYTES } from '../../protocol/bounds';
import { spend } from '../../protocol/rate';
import type { Bucket } from '../../protocol/rate';
import { launcherPaths } from '../paths/pod-volumes';
import type { PodVolumes } from '../paths/pod-volumes';
import type { OpenedPath } from '../paths/safe-path';
import { Latest } from './latest';
import { CALL_RATE, EVENT_RATE, MAX_BUFFERED_BYTES, MAX_CONNECTIONS, READ_RATE, REPORT_RATE } from './limits';
import { describeOmitted, parseDomainState, parseEvent } from './sanitize';
import type { LauncherEvent } from './sanitize';

export interface NotifyHandlers {
  readonly domain: (state: DomainState) => void;
  readonly event: (event: LauncherEvent) => void;
}

/**
 * Receives the reports of one launcher on a socket in its Pod's own volume, which identifies the Pod regardless of what a message
 * claims. States are passed on no faster than `REPORT_RATE`; the last one is always delivered.
 */
export class NotifyServer {
  private constructor(
    private readonly server: GrpcServer,
    private readonly dir: OpenedPath,
    private readonly states: Latest<DomainState>,
  ) {}

  public static async listen(podUid: string, volumes: PodVolumes, handlers: NotifyHandlers): Promise<NotifyServer> {
    const states = new Latest(REPORT_RATE, handlers.domain);
    const { volume, parts } = launcherPaths.notify;
    const dir = volumes.open(podUid, volume);
    try {
      const server = serve(states, handlers.event);
      // the launcher runs as another user; no other process can reach the volume
      await server.listen(`${dir.path}/${parts[0]}`, 0o666);
      return new NotifyServer(server, dir, states);
    } catch (error) {
      dir.close();
      throw error;
    }
  }

  public async close(): Promise<void> {
    await this.server.close();
    this.states.flush();
    this.dir.close();
  }
}

function serve(states: Latest<DomainState>, event: NotifyHandlers['event']): GrpcServer {
  let events: Bucket | undefined;
  let statedOmission = false;
  const server = new GrpcServer({
    maxMessageBytes: MAX_REPORT_BYTES,
    maxBufferedBytes: MAX_BUFFERED_BYTES,
    maxConnections: MAX_CONNECTIONS,
    readRate: READ_RATE,
    callRate: CALL_RATE,
  });
  server.add(NotifyDefinition, {
    handleDomainEvent: ({ domainJSON, eventType }) => {
      const state = parseDomainState(domainJSON ?? '');
      if (!state) return { success: false, message: 'domainJSON cannot be read as a domain state' };
      states.offer(eventType === 'DELETED' ? { ...state, status: 'NoState' } : state);
      const omission = describeOmitted(state);
      if (omission && !statedOmission) {
        statedOmission = true;
        event({ type: 'Normal', reason: EventReason.GuestReportTruncated, message: omission });
      }
      return { success: true };
    },
    handleK8sEvent: ({ eventJSON }) => {
      const parsed = parseEvent(eventJSON ?? new Uint8Array());
      if (!parsed) return { success: false, message: 'eventJSON cannot be read as an event' };
      const { bucket, waitMs } = spend(events, EVENT_RATE, 1, performance.now());
      if (waitMs > 0) return { success: false, message: `too many events; try again in ${waitMs} ms` };
      events = bucket;
      event(parsed);
      return { success: true };
    },
  });
  return server.add(NotifyInfoDefinition, { info: () => ({ supportedNotifyVersions: ['v1'] }) });
}
