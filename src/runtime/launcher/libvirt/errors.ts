/** libvirt's error replies, with the name of the failed call. */
import { ErrorDomain, ErrorNumber } from './generated/enums';
import { fixedOpaque, int, optional, string, struct, type XdrReader } from './xdr';

const text = optional(string(4194304));
const uuid = fixedOpaque(16);
/** virNetMessageError, of which only code, domain and message are in use today. */
const wireError = struct({
  code: int,
  domain: int,
  message: text,
  level: int,
  dom: optional(struct({ name: string(4194304), uuid, id: int })),
  str1: text,
  str2: text,
  str3: text,
  int1: int,
  int2: int,
  net: optional(struct({ name: string(4194304), uuid })),
});

const nameOf = (table: Record<string, number>, value: number): string =>
  Object.keys(table).find((key) => table[key] === value) ?? String(value);

/** A call that libvirt rejected. `code` and `domain` are libvirt's own names (`ERR_NO_DOMAIN`, `QEMU`). */
export class LibvirtError extends Error {
  override readonly name = 'LibvirtError';

  constructor(
    readonly procedure: string,
    readonly code: string,
    readonly domain: string,
    readonly detail: string,
  ) {
    super(`libvirt ${procedure}: ${detail} [${code}, ${domain}]`);
  }

  /** Whether the error has one of the given codes. */
  is(...codes: (keyof typeof ErrorNumber)[]): boolean {
    return (codes as string[]).includes(this.code);
  }
}

/** The connection is closed or silent: the call's effect is not known. */
export class LibvirtConnectionError extends Error {
  override readonly name = 'LibvirtConnectionError';
}

/** Parses an error reply. */
export function readError(procedure: string, payload: XdrReader): LibvirtError {
  const { code, domain, message } = wireError.read(payload);
  return new LibvirtError(
    procedure,
    nameOf(ErrorNumber, code),
    nameOf(ErrorDomain, domain),
    message ?? 'libvirt gave no message',
  );
}
