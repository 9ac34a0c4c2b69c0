/**
 * Generates src/runtime/launcher/libvirt/generated from libvirt's own protocol description.
 *
 *   tsx scripts/generate-libvirt.ts [--check] [--source DIR|ORIG_TARBALL]
 *
 * The source is Debian's package (`apt-get source --download-only libvirt` gives the orig tarball). Only what is
 * named in `wanted` is emitted. `--check` compares instead of writing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LIBVIRT_VERSION } from '../src/launcher-image/recipe';
import { emitEnums, emitProtocol } from './libvirt/emit';
import { parseProtocol } from './libvirt/parse-x';

const OUT = 'src/runtime/launcher/libvirt/generated';

/** Procedures and events that the launcher speaks; the types follow from them. */
const wanted = {
  remote: `CONNECT_OPEN CONNECT_CLOSE CONNECT_GET_LIB_VERSION CONNECT_SUPPORTS_FEATURE AUTH_LIST
    CONNECT_GET_DOMAIN_CAPABILITIES CONNECT_GET_CAPABILITIES CONNECT_BASELINE_HYPERVISOR_CPU
    CONNECT_COMPARE_HYPERVISOR_CPU CONNECT_LIST_ALL_DOMAINS CONNECT_GET_ALL_DOMAIN_STATS
    CONNECT_DOMAIN_EVENT_CALLBACK_REGISTER_ANY
    DOMAIN_DEFINE_XML_FLAGS DOMAIN_UNDEFINE_FLAGS DOMAIN_CREATE_WITH_FLAGS DOMAIN_LOOKUP_BY_NAME
    DOMAIN_GET_STATE DOMAIN_GET_XML_DESC DOMAIN_SUSPEND DOMAIN_RESUME DOMAIN_SHUTDOWN_FLAGS DOMAIN_REBOOT
    DOMAIN_RESET DOMAIN_DESTROY_FLAGS DOMAIN_ATTACH_DEVICE_FLAGS DOMAIN_DETACH_DEVICE_FLAGS
    DOMAIN_UPDATE_DEVICE_FLAGS DOMAIN_SET_VCPUS_FLAGS DOMAIN_FSFREEZE DOMAIN_FSTHAW DOMAIN_BLOCK_RESIZE
    DOMAIN_CORE_DUMP_WITH_FORMAT DOMAIN_ABORT_JOB
    DOMAIN_EVENT_CALLBACK_LIFECYCLE DOMAIN_EVENT_CALLBACK_REBOOT DOMAIN_EVENT_CALLBACK_WATCHDOG
    DOMAIN_EVENT_CALLBACK_IO_ERROR_REASON DOMAIN_EVENT_CALLBACK_DEVICE_REMOVED
    DOMAIN_EVENT_CALLBACK_AGENT_LIFECYCLE DOMAIN_EVENT_CALLBACK_DEVICE_ADDED`.split(/\s+/),
  qemu: 'DOMAIN_MONITOR_COMMAND DOMAIN_AGENT_COMMAND'.split(' '),
  enums: {
    ErrorDomain: 'virErrorDomain',
    ErrorNumber: 'virErrorNumber',
    DomainState: 'virDomainState',
    RunningReason: 'virDomainRunningReason',
    PausedReason: 'virDomainPausedReason',
    ShutoffReason: 'virDomainShutoffReason',
    DomainEventId: 'virDomainEventID',
    DomainEventType: 'virDomainEventType',
    StoppedDetail: 'virDomainEventStoppedDetailType',
    AgentState: 'virConnectDomainEventAgentLifecycleState',
    StatsType: 'virDomainStatsTypes',
  },
};

/** A directory with the unpacked source, and how to drop it. */
function unpack(source: string): { dir: string; done: () => void } {
  if (statSync(source).isDirectory()) return { dir: source, done: () => {} };
  const dir = mkdtempSync(join(tmpdir(), 'libvirt-source-'));
  const members = ['src/remote/remote_protocol.x', 'src/remote/qemu_protocol.x', 'include'].map((m) => `*/${m}`);
  execFileSync('tar', ['-xf', source, '-C', dir, '--strip-components=1', '--wildcards', ...members]);
  return { dir, done: () => rmSync(dir, { recursive: true }) };
}

/** The Debian mirror that this machine uses. */
function mirror(): string {
  return execFileSync('sh', ['-c', '. guests/lib/common.sh && mirror'], { encoding: 'utf8' }).trim();
}

/** The source of the launcher image's libvirt, from the Debian mirror. */
function download(): { dir: string; done: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'libvirt-source-'));
  const file = join(dir, 'libvirt.orig.tar.xz');
  const source = `pool/main/libv/libvirt/libvirt_${LIBVIRT_VERSION}.orig.tar.xz`;
  execFileSync('curl', ['-sSfL', '-o', file, `${mirror()}${source}`]);
  const unpacked = unpack(file);
  return {
    dir: unpacked.dir,
    done: () => {
      unpacked.done();
      rmSync(dir, { recursive: true });
    },
  };
}

function generate(dir: string): Record<string, string> {
  const read = (file: string): string => readFileSync(join(dir, file), 'utf8');
  const headers = ['libvirt-host', 'libvirt-domain', 'virterror', 'libvirt-common.h', 'libvirt-event']
    .map((name) => join('include/libvirt', name.includes('.') ? `${name}.in` : `${name}.h`))
    .filter((file) => existsSync(join(dir, file)))
    .map(read)
    .join('\n');
  const remote = parseProtocol(read('src/remote/remote_protocol.x'), headers);
  const qemu = parseProtocol(read('src/remote/qemu_protocol.x'), headers, remote);
  const programs = [
    { name: 'REMOTE', protocol: remote, procedures: wanted.remote },
    { name: 'QEMU', protocol: qemu, procedures: wanted.qemu },
  ];
  return {
    'protocol.ts': emitProtocol(programs),
    'enums.ts': emitEnums(headers, wanted.enums),
  };
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, source: { type: 'string' } } });
  const { dir, done } = values.source ? unpack(values.source) : download();
  try {
    for (const [name, text] of Object.entries(generate(dir))) {
      const file = join(OUT, name);
      const old = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (old === text) continue;
      if (values.check) throw new Error(`${file} is not current: run \`tsx scripts/generate-libvirt.ts\``);
      writeFileSync(file, text);
      console.log(`${file} written`);
    }
  } finally {
    done();
  }
}

main();
