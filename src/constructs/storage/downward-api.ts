import type { DownwardAPIVolumeFile } from '../../api/generated/core-v1';
import { defined } from '../defined';

/** Options of a file of the downward API. */
export interface DownwardApiFileOptions {
  /**
   * File permissions, from 0 to 0o777.
   * @default - 0o644
   */
  readonly mode?: number;
}

/** Options of a file with a field. */
export interface FieldFileOptions extends DownwardApiFileOptions {
  /**
   * API version that the field path refers to.
   * @default - v1
   */
  readonly apiVersion?: string;
}

/** Options of a file with a resource amount. */
export interface ResourceFileOptions extends DownwardApiFileOptions {
  /**
   * Unit of the value, as a quantity: `1m` for CPU.
   * @default - 1
   */
  readonly divisor?: string;
}

/** File with data of the Pod in which a guest runs. */
export class DownwardApiFile {
  /**
   * Writes a field of the Pod: `metadata.labels`, `metadata.annotations`, `metadata.name`, `metadata.namespace` or
   * `metadata.uid`.
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
   * Writes a request or limit of a container, such as `limits.memory`. The container of the guest is `compute`.
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
