import { gvOf, Kind } from './kind';

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Served kinds by their URLs, including custom resources. */
export class KindRegistry {
  private readonly byPath = new Map<string, Kind>();
  private readonly listeners = new Set<(gv: GroupVersion) => void>();
  /** Served kinds by their storage; emptied by each change. */
  private readonly versions = new Map<string, readonly Kind[]>();
  private changes = 0;

  /** Version of the registry, for caches of discovery and OpenAPI. */
  public get revision(): number {
    return this.changes;
  }

  public add(kind: Kind): void {
    this.byPath.set(path(kind.group, kind.version, kind.plural), kind);
    this.changed(kind);
  }

  public remove(kind: Pick<Kind, 'group' | 'version' | 'plural'>): void {
    if (this.byPath.delete(path(kind.group, kind.version, kind.plural))) this.changed(kind);
  }

  public find(group: string, version: string, plural: string): Kind | undefined {
    return this.byPath.get(path(group, version, plural));
  }

  public all(): Kind[] {
    return [...this.byPath.values()];
  }

  /** The served versions of a stored resource. */
  public versionsOf(storage: string): readonly Kind[] {
    let versions = this.versions.get(storage);
    if (!versions) this.versions.set(storage, (versions = this.all().filter((kind) => kind.storage === storage)));
    return versions;
  }

  /** A served version of a stored resource: the one in which it is stored, if a webhook converts the others. */
  public byStorage(storage: string): Kind | undefined {
    const served = this.versionsOf(storage);
    return served.find((kind) => kind.conversion?.storageVersion === gvOf(kind)) ?? served[0];
  }

  /** Finds a kind by apiVersion and kind. */
  public byKind(apiVersion: string, kind: string): Kind | undefined {
    return this.all().find(
      (item) => item.kind === kind && (item.group ? `${item.group}/${item.version}` : item.version) === apiVersion,
    );
  }

  public onChange(listener: (gv: GroupVersion) => void): void {
    this.listeners.add(listener);
  }

  private changed(gv: GroupVersion): void {
    this.changes++;
    this.versions.clear();
    for (const listener of this.listeners) listener({ group: gv.group, version: gv.version });
  }
}

const path = (group: string, version: string, plural: string) => `${group}/${version}/${plural}`;
