import { keys } from '../keys';
import { mistake } from '../admission/rule';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { Find } from '../kinds/kind';
import type { KubeObject } from '../meta';
import type { MatcherField } from './types';

/** Name and kind that a volume suggests, or why it has no suggestion. */
type Inference =
  | { readonly name: string; readonly kind?: string }
  | {
      readonly failure: string;
      readonly remedy: string;
      /** Whether the volume exists but has no suggestion, which `inferFromVolumeFailurePolicy: Ignore` accepts. */
      readonly ignorable: boolean;
    };

interface SourceRef {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string | null;
}
interface Named {
  readonly name?: string;
  readonly namespace?: string;
}
interface VolumeSpec {
  readonly source?: { readonly pvc?: Named; readonly snapshot?: Named };
  readonly sourceRef?: SourceRef;
}

/** Infers the references of a VM from its volumes; changes `vm`. */
export function inferMatcher(vm: VirtualMachine, field: MatcherField, find: Find): Finding[] {
  const matcher = vm.spec[field];
  if (!matcher?.inferFromVolume) return [];
  const ignores = matcher.inferFromVolumeFailurePolicy === 'Ignore';
  const found = new Volumes(vm, field, find).infer(matcher.inferFromVolume);
  if ('name' in found) {
    // the other fields of the reference are only for the case that nothing is found
    if (field === 'instancetype' && ignores) delete vm.spec.template.spec?.domain?.memory;
    vm.spec[field] = { name: found.name, ...(found.kind ? { kind: found.kind } : {}) };
    return [];
  }
  if (found.ignorable && ignores) {
    delete vm.spec[field];
    return [];
  }
  const path = root.at('spec', field, 'inferFromVolume');
  return mistake(`${field}-inferred`, path, found.failure, found.remedy, { value: matcher.inferFromVolume });
}

/**
 * Follows a volume to the object with the labels: claim, DataVolume or its template, DataSource, snapshot, and from each to
 * its source.
 */
class Volumes {
  private readonly label: string;
  private readonly namespace: string | undefined;

  public constructor(
    private readonly vm: VirtualMachine,
    field: MatcherField,
    private readonly find: Find,
  ) {
    this.label = `${keys.defaultPrefix}${field}`;
    this.namespace = vm.metadata.namespace;
  }

  public infer(volumeName: string): Inference {
    const volumes = this.vm.spec.template.spec?.volumes ?? [];
    const volume = volumes.find(({ name }) => name === volumeName);
    if (!volume) {
      const failure = `unable to find volume ${volumeName} to infer defaults`;
      const names = volumes.map(({ name }) => name).join(', ');
      return { failure, remedy: names ? `use one of ${names}` : 'add the volume', ignorable: false };
    }
    if (volume.persistentVolumeClaim) return this.fromClaim(volume.persistentVolumeClaim.claimName, this.namespace);
    if (volume.dataVolume) return this.fromDataVolume(volume.dataVolume.name);
    return silent(
      `unable to infer defaults from volume ${volumeName} as type is not supported`,
      'choose a volume with a persistentVolumeClaim or dataVolume',
    );
  }

  private fromDataVolume(name: string): Inference {
    const template = this.vm.spec.dataVolumeTemplates?.find((each) => each?.metadata?.name === name);
    if (template) return this.fromSpec(template.spec as VolumeSpec);
    const object = this.find('DataVolume', this.namespace, name) as (KubeObject & { spec?: VolumeSpec }) | undefined;
    // a finished DataVolume may be deleted; its claim has the same name
    if (!object) return this.fromClaim(name, this.namespace);
    const own = this.fromLabels(object);
    return 'name' in own ? own : this.fromSpec(object.spec);
  }

  private fromSpec(spec: VolumeSpec | undefined): Inference {
    const { pvc, snapshot } = spec?.source ?? {};
    if (pvc) return this.fromClaim(pvc.name, pvc.namespace);
    if (snapshot) return this.fromSnapshot(snapshot);
    if (spec?.sourceRef) return this.fromSourceRef(spec.sourceRef);
    return silent(
      'unable to infer defaults from DataVolumeSpec as DataVolumeSource is not supported',
      'copy from a pvc, a snapshot or a DataSource, or set the name in the VM',
    );
  }

  private fromSourceRef({ kind, name = '', namespace }: SourceRef): Inference {
    if (kind !== 'DataSource') {
      return silent(
        `unable to infer defaults from DataVolumeSourceRef as Kind ${kind} is not supported`,
        'use kind DataSource',
      );
    }
    const from = namespace ?? this.namespace;
    const object = this.find('DataSource', from, name) as
      (KubeObject & { spec?: { source?: VolumeSpec['source'] } }) | undefined;
    if (!object) return missing('datasources.cdi.kubevirt.io', from, name);
    const own = this.fromLabels(object);
    if ('name' in own) return own;
    const { pvc, snapshot } = object.spec?.source ?? {};
    if (pvc) return this.fromClaim(pvc.name, pvc.namespace);
    if (snapshot) return this.fromSnapshot(snapshot);
    return silent(
      "unable to infer defaults from DataSource that doesn't provide DataVolumeSourcePVC or DataVolumeSourceSnapshot",
      `label the DataSource with ${this.label}`,
    );
  }

  private fromClaim(name = '', namespace: string | undefined): Inference {
    const object = this.find('PersistentVolumeClaim', namespace, name);
    return object ? this.fromLabels(object) : missing('persistentvolumeclaims', namespace, name);
  }

  private fromSnapshot({ name = '', namespace }: Named): Inference {
    const object = this.find('VolumeSnapshot', namespace, name);
    return object ? this.fromLabels(object) : missing('volumesnapshots.snapshot.storage.k8s.io', namespace, name);
  }

  private fromLabels({ metadata }: KubeObject): Inference {
    const name = metadata.labels?.[this.label];
    if (name === undefined) {
      return silent(
        `unable to find required ${this.label} label on the volume`,
        `add the label, or set the name in the VM, or set inferFromVolumeFailurePolicy: Ignore`,
      );
    }
    return { name, kind: metadata.labels?.[`${this.label}-kind`] };
  }
}

const silent = (failure: string, remedy: string): Inference => ({ failure, remedy, ignorable: true });

const missing = (resource: string, namespace: string | undefined, name: string): Inference => ({
  failure: `${resource} "${name}" not found`,
  remedy: `create it${namespace ? ` in namespace ${namespace}` : ''}, or set the name in the VM`,
  ignorable: false,
});
