import { vmFields } from '../../api/log-fields';
import type { VmLogFields } from '../../api/log-fields';

let about: Partial<VmLogFields> = {};

/** Names the VM in all further lines: the Pod has only one. Before the handler has sent it, only its UID is known. */
export function logAbout({ namespace, name, uid }: { namespace?: string; name?: string; uid?: string }): void {
  about = name === undefined ? { uid } : vmFields({ namespace, name, uid });
}

/** One line of JSON per message, on stderr. A logging library would cost each VM megabytes. */
export function log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown> = {}): void {
  console.error(
    JSON.stringify({
      time: new Date().toISOString(),
      level,
      component: 'virt-launcher',
      ...about,
      msg: message,
      ...fields,
    }),
  );
}
