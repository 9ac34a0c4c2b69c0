import type { ApiObject, Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import type { TypedLocalObjectReference } from '../../api/generated/core-v1';
import type { VirtualMachineExportSpec } from '../../api/generated/export-v1';
import { defined } from '../defined';
import { VirtualMachineExportObject } from '../generated/export-v1';
import { beside } from '../network/beside';
import type { IVirtualMachine, IVirtualMachineBackup, IVirtualMachineSnapshot } from '../references';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { nameOf } from '../storage/reference';
import { validateOnSynth } from '../validation';
import { ofKind } from './reference';
import { durationText } from './text';

/** What is exported. An object that tells another kind is refused. */
export class ExportSource {
  /**
   * A VM: its disks, and manifests that make it elsewhere. It must not run.
   *
   * @param vm VirtualMachine
   * @example
   * new VirtualMachineExport(chart, 'download', {
   *   source: ExportSource.virtualMachine(vm),
   *   ttl: Duration.hours(4),
   * });
   */
  public static virtualMachine(vm: IVirtualMachine): ExportSource {
    return new ExportSource(ofKind('ExportSource.virtualMachine', 'VirtualMachine', vm), vm);
  }

  /**
   * A snapshot of a VM, which may run.
   *
   * @param snapshot VirtualMachineSnapshot
   * @example
   * const before = vm.snapshot('before-upgrade');
   * new VirtualMachineExport(chart, 'download', { source: ExportSource.snapshot(before) });
   */
  public static snapshot(snapshot: IVirtualMachineSnapshot): ExportSource {
    return new ExportSource(ofKind('ExportSource.snapshot', 'VirtualMachineSnapshot', snapshot), snapshot);
  }

  /**
   * A claim: a PersistentVolumeClaim, or the one of a DataVolume.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @example
   * new VirtualMachineExport(chart, 'download', { source: ExportSource.claim({ name: 'web-root' }) });
   */
  public static claim(claim: INamedObject): ExportSource {
    const kinds = ['PersistentVolumeClaim', 'DataVolume'];
    const name = nameOf('ExportSource.claim', claim, kinds, 'give it a claim');
    return new ExportSource({ kind: 'PersistentVolumeClaim', name }, claim);
  }

  /**
   * A backup of the mode BackupMode.PULL.
   *
   * @param backup VirtualMachineBackup
   * @example
   * const backup = new VirtualMachineBackup(chart, 'backup', {
   *   source: BackupSource.virtualMachine(vm),
   *   claim: { name: 'backups' },
   * });
   * new VirtualMachineExport(chart, 'download', { source: ExportSource.backup(backup) });
   */
  public static backup(backup: IVirtualMachineBackup): ExportSource {
    return new ExportSource(ofKind('ExportSource.backup', 'VirtualMachineBackup', backup), backup);
  }

  /**
   * A template, as an OCI image. Needs the feature gate OCIExport.
   *
   * @param template VirtualMachineTemplate
   * @example
   * new VirtualMachineExport(chart, 'download', { source: ExportSource.template({ name: 'web' }) });
   */
  public static template(template: INamedObject): ExportSource {
    return new ExportSource(ofKind('ExportSource.template', 'VirtualMachineTemplate', template), template);
  }

  private constructor(
    /** @internal */
    public readonly _reference: TypedLocalObjectReference,
    /** The object that is exported, for its namespace. @internal */
    public readonly _object: INamedObject,
  ) {}
}

/** What an export has beyond its source. */
export interface VirtualMachineExportOptions extends ResourceProps {
  /**
   * How long it lives from its creation.
   * @default - 2 hours
   */
  readonly ttl?: Duration;
  /**
   * Secret whose key `token` each download must present.
   * @default - one is made
   */
  readonly tokenSecret?: INamedObject;
}

/** What an export takes. */
export interface VirtualMachineExportProps extends VirtualMachineExportOptions {
  /** What is exported. */
  readonly source: ExportSource;
}

/**
 * Offers disks for download over HTTPS, for a time (`export.kubevirt.io/v1` VirtualMachineExport).
 *
 * @example
 * new VirtualMachineExport(chart, 'download', {
 *   source: ExportSource.virtualMachine(vm),
 *   ttl: Duration.hours(4),
 * });
 */
export class VirtualMachineExport extends Resource {
  public readonly apiObject: ApiObject;
  /** How long it lives from its creation, if it was said. */
  public readonly ttl?: Duration;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props source and lifetime of the export
   */
  constructor(scope: Construct, id: string, props: VirtualMachineExportProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { source, ttl, tokenSecret } = props;
    this.ttl = ttl;
    const spec: VirtualMachineExportSpec = defined({
      source: { ...source._reference },
      tokenSecretRef:
        tokenSecret && nameOf('VirtualMachineExport: tokenSecret', tokenSecret, ['Secret'], 'give it a Secret'),
      ttlDuration: ttl && durationText(ttl),
    });
    this.apiObject = new VirtualMachineExportObject(this, 'Resource', {
      metadata: beside(source._object, props.metadata),
      spec,
    });
    validateOnSynth(this, {
      body: () => ({ spec }),
      locate: (field) => (field === 'spec.ttlDuration' ? 'ttl' : undefined),
    });
  }
}
