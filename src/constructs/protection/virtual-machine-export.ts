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
import { propertyOfRequest } from './locate';
import { ofKind } from './reference';
import { durationText } from './text';

/** Source of an export. An object of another kind is rejected. */
export class ExportSource {
  /**
   * Exports a VM: its disks, and manifests that recreate it elsewhere. The VM must be stopped.
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
   * Exports a snapshot of a VM. The VM may be running.
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
   * Exports a PersistentVolumeClaim, or the claim of a DataVolume.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @example
   * new VirtualMachineExport(chart, 'download', { source: ExportSource.claim({ name: 'web-root' }) });
   */
  public static claim(claim: INamedObject): ExportSource {
    const kinds = ['PersistentVolumeClaim', 'DataVolume'];
    const name = nameOf('ExportSource.claim', claim, kinds, 'give it a claim');
    return new ExportSource({ kind: 'PersistentVolumeClaim', name }, claim);
  }

  /**
   * Exports a backup with BackupMode.PULL.
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
   * Exports a template as an OCI image. Requires the feature gate OCIExport.
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

/** Options of an export. */
export interface VirtualMachineExportOptions extends ResourceProps {
  /**
   * Lifetime of the export, from its creation.
   * @default - 2 hours
   */
  readonly ttl?: Duration;
  /**
   * Secret with the key `token`, which each download must present.
   * @default - a generated Secret
   */
  readonly tokenSecret?: INamedObject;
}

/** Properties of an export. */
export interface VirtualMachineExportProps extends VirtualMachineExportOptions {
  /** Source of the export. */
  readonly source: ExportSource;
}

/**
 * Offers disks for download over HTTPS for a limited time (`export.kubevirt.io/v1` VirtualMachineExport).
 *
 * @example
 * new VirtualMachineExport(chart, 'download', {
 *   source: ExportSource.virtualMachine(vm),
 *   ttl: Duration.hours(4),
 * });
 */
export class VirtualMachineExport extends Resource {
  public readonly apiObject: ApiObject;
  /** Lifetime of the export, if set. */
  public readonly ttl?: Duration;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
    validateOnSynth(this, { body: () => ({ spec }), locate: propertyOfRequest });
  }
}
