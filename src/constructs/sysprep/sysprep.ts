import { createHash } from 'node:crypto';
import type { Volume } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';

/** How an answer file is kept. */
export interface SysprepFileOptions {
  /**
   * The file holds passwords or product keys: it goes into a generated Secret instead of a ConfigMap.
   * @default false
   */
  readonly sensitive?: boolean;
}

/** How Windows sets itself up, unattended: a CD with `autounattend.xml`, which Windows Setup looks for. */
export class Sysprep {
  /** An answer file as it is. */
  public static raw(autounattend: string, options: SysprepFileOptions = {}): Sysprep {
    return new Sysprep({ 'autounattend.xml': autounattend }, options.sensitive ?? false);
  }

  /** The files in a Secret that exists: `autounattend.xml`, `unattend.xml` or both are its keys. */
  public static fromSecret(secret: INamedObject): Sysprep {
    return new Sysprep(undefined, true, { secret: { name: secret.name } });
  }

  /** The files in a ConfigMap that exists: `autounattend.xml`, `unattend.xml` or both are its keys. */
  public static fromConfigMap(configMap: INamedObject): Sysprep {
    return new Sysprep(undefined, false, { configMap: { name: configMap.name } });
  }

  private constructor(
    private readonly files: Record<string, string> | undefined,
    private readonly sensitive: boolean,
    private readonly existing?: Volume['sysprep'],
  ) {}

  /** Data of the Secret to generate, when there must be one. @internal */
  public _secretData(): Record<string, string> | undefined {
    return this.sensitive ? this.files : undefined;
  }

  /** Data of the ConfigMap to generate, when there must be one. @internal */
  public _configData(): Record<string, string> | undefined {
    return this.sensitive ? undefined : this.files;
  }

  /** Changes with the files of what is generated; undefined when nothing is. @internal */
  public _checksum(): string | undefined {
    return this.files && createHash('sha256').update(JSON.stringify(this.files)).digest('hex').slice(0, 16);
  }

  /** The volume; `generated` is the Secret or ConfigMap made of `_secretData` or `_configData`. @internal */
  public _renderVolume(name: string, generated?: INamedObject): Volume {
    if (this.existing) return { name, sysprep: this.existing };
    const reference = { name: generated?.name ?? '' };
    return { name, sysprep: this.sensitive ? { secret: reference } : { configMap: reference } };
  }
}
