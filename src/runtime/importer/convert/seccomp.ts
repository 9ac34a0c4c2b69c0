/**
 * Seccomp filter of a confined program: it opens no socket, traces no process and uses no io_uring, which could do both
 * without a system call. Classic BPF, as seccomp(2) and bpf(4) describe it. Pure.
 */

interface Architecture {
  /** AUDIT_ARCH_*: word size, byte order and ELF machine. */
  readonly audit: number;
  readonly denied: Readonly<Record<string, number>>;
}

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    denied: { socket: 41, connect: 42, bind: 49, listen: 50, ptrace: 101, process_vm_readv: 310, io_uring_setup: 425 },
  },
  arm64: {
    audit: 0xc00000b7,
    denied: {
      socket: 198,
      connect: 203,
      bind: 200,
      listen: 201,
      ptrace: 117,
      process_vm_readv: 270,
      io_uring_setup: 425,
    },
  },
};

const LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const JUMP_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const JUMP_AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const RETURN = 0x06; // BPF_RET | BPF_K
const OFFSET_NUMBER = 0;
const OFFSET_ARCHITECTURE = 4;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO_EPERM = 0x00050001;
/** x32 calls have this bit set on x86-64, and would pass a comparison of numbers. */
const X32 = 0x40000000;

/** Filter for this architecture (`process.arch`), as `setpriv --seccomp-filter` reads it. */
export function confinement(architecture: string): Buffer {
  const known = ARCHITECTURES[architecture];
  if (!known) throw new Error(`the importer does not support the architecture ${architecture} (allowed: x64, arm64)`);
  const numbers = Object.values(known.denied);
  const program = [
    instruction(LOAD_WORD, OFFSET_ARCHITECTURE),
    instruction(JUMP_EQUAL, known.audit, 1, 0),
    instruction(RETURN, KILL_PROCESS),
    instruction(LOAD_WORD, OFFSET_NUMBER),
    // to the denial after the comparisons
    instruction(JUMP_AT_LEAST, X32, numbers.length + 1, 0),
    ...numbers.map((number, index) => instruction(JUMP_EQUAL, number, numbers.length - index, 0)),
    instruction(RETURN, ALLOW),
    instruction(RETURN, ERRNO_EPERM),
  ];
  return Buffer.concat(program);
}

/** `struct sock_filter`; both architectures are little-endian. */
function instruction(code: number, k: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(k >>> 0, 4);
  return bytes;
}
