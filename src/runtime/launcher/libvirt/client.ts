/** The launcher's interface to libvirt: one domain, by name. */
import { Connection, type ConnectionOptions, type RetOf } from './connection';
import { LibvirtConnectionError, LibvirtError } from './errors';
import { DomainEventId } from './generated/enums';
import type { nonnullDomain } from './generated/protocol';
import type { Decoded } from './xdr';

/** libvirt's reference to a domain on the wire. */
export type DomainRef = Decoded<typeof nonnullDomain>;
export type DomainStateReply = RetOf<'domainGetState'>;
/** A statistic by its libvirt name, such as `cpu.time`. */
export type Stats = Record<string, number | bigint | string>;

const START_PAUSED = 1;
const SHUTDOWN_ACPI = 1;
const SHUTDOWN_AGENT = 2;
/** NVRAM and vTPM state are kept: they are on a claim, or are deleted with the Pod. */
const UNDEFINE_FLAGS = 1 | 2 | 8 | 16 | 64;
const RESIZE_BYTES = 1;
/** Leaves out what needs an answer of QEMU while another operation waits for one. */
const STATS_NOWAIT = 1 << 29;
const DEFINE_VALIDATE = 1;
/** ELF, and only the memory: without the state of the devices, which needs the same QEMU to be read. */
const CORE_FORMAT_RAW = 0;
const DUMP_MEMORY_ONLY = 16;
/** Storage that is slower than this for a whole dump does not answer. */
const DUMP_DEADLINE_MS = 6 * 3_600_000;
/** The guest's answers are parsed in the launcher's memory, which is small. */
const MAX_AGENT_ANSWER = 1 << 20;

const WANTED_EVENTS = [
  DomainEventId.LIFECYCLE,
  DomainEventId.REBOOT,
  DomainEventId.WATCHDOG,
  DomainEventId.IO_ERROR_REASON,
  DomainEventId.DEVICE_REMOVED,
  DomainEventId.AGENT_LIFECYCLE,
  DomainEventId.DEVICE_ADDED,
];

export interface ClientOptions extends ConnectionOptions {
  /** Deadline of each call that opens the session. @default the deadline of other calls */
  openDeadlineMs?: number;
}

/** A session with libvirtd. */
export class LibvirtClient {
  private constructor(readonly connection: Connection) {}

  /** Connects, authenticates (a session daemon requires nothing), opens the QEMU driver and subscribes to events. */
  static async open(socket: string, { openDeadlineMs, ...options }: ClientOptions = {}): Promise<LibvirtClient> {
    const connection = await Connection.open(socket, options);
    try {
      const { types } = await connection.call('authList', undefined, openDeadlineMs);
      if (types.some((type) => type !== 0)) {
        throw new LibvirtConnectionError(`libvirt at ${socket} requires authentication (types ${types.join(', ')})`);
      }
      await connection.call('connectOpen', { name: 'qemu:///session', flags: 0 }, openDeadlineMs);
      await Promise.all(
        WANTED_EVENTS.map((eventID) =>
          connection.call('connectDomainEventCallbackRegisterAny', { eventID, dom: null }, openDeadlineMs),
        ),
      );
    } catch (error) {
      connection.close();
      throw error;
    }
    return new LibvirtClient(connection);
  }

  close(): void {
    this.connection.close();
  }

  /** The domain with this name, if it is defined. */
  async lookup(name: string, deadlineMs?: number): Promise<DomainRef | undefined> {
    try {
      return (await this.connection.call('domainLookupByName', { name }, deadlineMs)).dom;
    } catch (error) {
      if (error instanceof LibvirtError && error.is('ERR_NO_DOMAIN')) return undefined;
      throw error;
    }
  }

  /**
   * Defines a domain. `validate`: libvirt checks the XML against its schema first, which permanently costs it megabytes;
   * instead, tests check the rendered XML.
   */
  async define(xml: string, validate = false): Promise<DomainRef> {
    return (await this.connection.call('domainDefineXmlFlags', { xml, flags: validate ? DEFINE_VALIDATE : 0 })).dom;
  }

  async undefine(dom: DomainRef): Promise<void> {
    await this.connection.call('domainUndefineFlags', { dom, flags: UNDEFINE_FLAGS });
  }

  /** Starts QEMU. It may have to allocate all guest memory, so the caller sets `deadlineMs`. */
  async start(dom: DomainRef, paused: boolean, deadlineMs: number): Promise<DomainRef> {
    const flags = paused ? START_PAUSED : 0;
    return (await this.connection.call('domainCreateWithFlags', { dom, flags }, deadlineMs)).dom;
  }

  state(dom: DomainRef): Promise<DomainStateReply> {
    return this.connection.call('domainGetState', { dom, flags: 0 });
  }

  async xml(dom: DomainRef): Promise<string> {
    return (await this.connection.call('domainGetXmlDesc', { dom, flags: 0 })).xml;
  }

  async suspend(dom: DomainRef): Promise<void> {
    await this.connection.call('domainSuspend', { dom });
  }

  async resume(dom: DomainRef): Promise<void> {
    await this.connection.call('domainResume', { dom });
  }

  async reset(dom: DomainRef): Promise<void> {
    await this.connection.call('domainReset', { dom, flags: 0 });
  }

  /** Requests that the guest powers off: by the power button, or by the guest agent. */
  async shutdown(dom: DomainRef, by: 'acpi' | 'agent'): Promise<void> {
    await this.connection.call('domainShutdownFlags', { dom, flags: by === 'acpi' ? SHUTDOWN_ACPI : SHUTDOWN_AGENT });
  }

  /** Requests that the guest reboots: by its agent if that is connected, else by ACPI. */
  async reboot(dom: DomainRef): Promise<void> {
    await this.connection.call('domainReboot', { dom, flags: 0 });
  }

  /** Kills QEMU immediately. */
  async destroy(dom: DomainRef, deadlineMs?: number): Promise<void> {
    await this.connection.call('domainDestroyFlags', { dom, flags: 0 }, deadlineMs);
  }

  async freeze(dom: DomainRef): Promise<number> {
    return (await this.connection.call('domainFsfreeze', { dom, mountpoints: [], flags: 0 })).filesystems;
  }

  async thaw(dom: DomainRef): Promise<number> {
    return (await this.connection.call('domainFsthaw', { dom, mountpoints: [], flags: 0 })).filesystems;
  }

  /** Writes the guest's memory to a file that libvirtd creates. QEMU stops the guest meanwhile. */
  async dumpMemory(dom: DomainRef, to: string): Promise<void> {
    const request = { dom, to, dumpformat: CORE_FORMAT_RAW, flags: DUMP_MEMORY_ONLY };
    await this.connection.call('domainCoreDumpWithFormat', request, DUMP_DEADLINE_MS);
  }

  /** Aborts the long operation of the domain; throws if there is none. */
  async abortJob(dom: DomainRef): Promise<void> {
    await this.connection.call('domainAbortJob', { dom });
  }

  async attachDevice(dom: DomainRef, xml: string, flags: number): Promise<void> {
    await this.connection.call('domainAttachDeviceFlags', { dom, xml, flags });
  }

  async detachDevice(dom: DomainRef, xml: string, flags: number): Promise<void> {
    await this.connection.call('domainDetachDeviceFlags', { dom, xml, flags });
  }

  async updateDevice(dom: DomainRef, xml: string, flags: number): Promise<void> {
    await this.connection.call('domainUpdateDeviceFlags', { dom, xml, flags });
  }

  /** Tells the guest that a disk has this size, and enlarges its file. */
  async resizeDisk(dom: DomainRef, target: string, bytes: number): Promise<void> {
    await this.connection.call('domainBlockResize', { dom, disk: target, size: BigInt(bytes), flags: RESIZE_BYTES });
  }

  async setVcpus(dom: DomainRef, nvcpus: number, flags: number): Promise<void> {
    await this.connection.call('domainSetVcpusFlags', { dom, nvcpus, flags });
  }

  /** Statistics of the groups in `stats` (StatsType, added up). */
  async stats(dom: DomainRef, stats: number): Promise<Stats> {
    const { retStats } = await this.connection.call('connectGetAllDomainStats', {
      doms: [dom],
      stats,
      flags: STATS_NOWAIT,
    });
    const record = retStats[0];
    return Object.fromEntries(record?.params.map(({ field, value }) => [field, value.value]) ?? []);
  }

  /** Executes a QMP command; returns an object. @throws Error with QEMU's message if QEMU rejects the command */
  async qmp(dom: DomainRef, command: { execute: string; arguments?: object }): Promise<unknown> {
    const cmd = JSON.stringify(command);
    const { result } = await this.connection.call('qemuDomainMonitorCommand', { dom, cmd, flags: 0 });
    const answer = JSON.parse(result) as { error?: { desc?: string } };
    if (answer.error) throw new Error(`QEMU rejected ${command.execute}: ${answer.error.desc}`);
    return answer;
  }

  /** Executes a guest agent command; returns the answer's `return`. */
  async agent(dom: DomainRef, execute: string, args?: object, timeoutSeconds = 5): Promise<unknown> {
    const cmd = JSON.stringify(args ? { execute, arguments: args } : { execute });
    const deadline = (timeoutSeconds + 5) * 1000;
    const request = { dom, cmd, timeout: timeoutSeconds, flags: 0 };
    const { result } = await this.connection.call('qemuDomainAgentCommand', request, deadline);
    if (result === null) return undefined;
    if (result.length > MAX_AGENT_ANSWER) {
      throw new Error(
        `the guest agent's answer to ${execute} has ${result.length} characters (allowed: ${MAX_AGENT_ANSWER})`,
      );
    }
    return (JSON.parse(result) as { return: unknown }).return;
  }

  /** Capabilities of this QEMU for a machine and virtualization type, as libvirt's XML. */
  async domainCapabilities(emulator: string, arch: string, machine: string, virttype: string): Promise<string> {
    const args = { emulatorbin: emulator, arch, machine, virttype, flags: 0 };
    return (await this.connection.call('connectGetDomainCapabilities', args, 60_000)).capabilities;
  }
}
