import type { DownwardAPIVolumeFile } from '../../api/generated/core-v1';
import { defined } from '../defined';

/** What every file of the downward API takes. */
export interface DownwardApiFileOptions {
  /**
   * Permissions, 0 to 0o777.
   * @default - 0o644
   */
  readonly mode?: number;
}

/** What a file with a field takes. */
export interface FieldFileOptions extends DownwardApiFileOptions {
  /**
   * Version of the API in which the path is meant.
   * @default - v1
   */
  readonly apiVersion?: string;
}

/** What a file with an amount takes. */
export interface ResourceFileOptions extends DownwardApiFileOptions {
  /**
   * Unit of the value, as a quantity: `1m` for CPU.
   * @default - 1
   */
  readonly divisor?: string;
}

/** A file that shows something of the Pod in which a guest runs. */
export class DownwardApiFile {
  /**
   * A field: `metadata.labels`, `metadata.annotations`, `metadata.name`, `metadata.namespace`, `metadata.uid`.
   *
   * @param path name of the file
   * @param fieldPath field of the Pod, such as `metadata.labels`
   * @param options mode of the file
   * @example
   * vm.addDisk(Disk.downwardApi([DownwardApiFile.field('labels', 'metadata.labels')]));
   */
  public static field(path: string, fieldPath: string, options: FieldFileOptions = {}): DownwardApiFile {
    const { mode, apiVersion } = options;
    return new DownwardApiFile(defined({ path, fieldRef: defined({ fieldPath, apiVersion }), mode }));
  }

  /**
   * A request or limit of a container, which is `compute` for the guest's: `limits.memory`.
   *
   * @param path name of the file
   * @param container name of the container, such as `compute`
   * @param resource resource, such as `requests.memory`
   * @param options mode of the file, and unit of the amount
   * @example
   * vm.addDisk(Disk.downwardApi([DownwardApiFile.resource('memory', 'compute', 'requests.memory')]));
   */
  public static resource(
    path: string,
    container: string,
    resource: string,
    options: ResourceFileOptions = {},
  ): DownwardApiFile {
    const { mode, divisor } = options;
    const resourceFieldRef = defined({ containerName: container, resource, divisor });
    return new DownwardApiFile(defined({ path, resourceFieldRef, mode }));
  }

  private constructor(private readonly file: DownwardAPIVolumeFile) {}

  /** @internal */
  public _render(): DownwardAPIVolumeFile {
    return this.file;
  }
}
