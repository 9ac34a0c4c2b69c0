import { readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { errorText } from '../../../api/error-text';
import type { NodeCapabilities } from '../../../api/node-capabilities';

/** Capabilities of the node, or the reason why they are not known. */
export type Known = { readonly capabilities: NodeCapabilities } | { readonly unknown: string };

/** Reads the text that a program of the launcher image has written. Pure. */
export function parseCapabilities(text: string): Known {
  const value = JSON.parse(text) as Partial<NodeCapabilities> & { error?: string };
  if (value.error !== undefined) return { unknown: `libvirt could not describe the node: ${value.error}` };
  const lists = [value.machines, value.architectures, value.qemu?.features];
  if (!lists.every(Array.isArray)) return { unknown: 'the description of the node is that of another version' };
  return { capabilities: value as NodeCapabilities };
}

/** The file with the capabilities of the node, which may be written while virt-handler runs. */
export class CapabilitiesFile {
  private read?: { readonly version: string; readonly known: Known };

  public constructor(private readonly path: string | undefined) {}

  /** Calls back when the file is written. Returns a function that ends this. */
  public onChange(changed: () => void): () => void {
    const { path } = this;
    if (path === undefined) return () => undefined;
    try {
      const watcher = watch(dirname(path), { persistent: false }, (_, file) => file === basename(path) && changed());
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    } catch {
      // the next heartbeat reads it
      return () => undefined;
    }
  }

  public known(): Known {
    if (this.path === undefined) return { unknown: 'virt-handler was started without --capabilities-file' };
    try {
      const { ino, mtimeMs } = statSync(this.path);
      const version = `${ino} ${mtimeMs}`;
      if (this.read?.version !== version) {
        this.read = { version, known: parseCapabilities(readFileSync(this.path, 'utf8')) };
      }
      return this.read.known;
    } catch (error) {
      return { unknown: `${this.path} cannot be read: ${errorText(error)}` };
    }
  }
}
