/** Snapshots, clones, exports, backups and migrations. Pure. */
import { isFields } from '../difference';
import { call, type Expression, list, object, value } from '../expression';
import type { Mapping, Surroundings } from './kind';
import {
  choice,
  duration,
  each,
  type Fields,
  fieldsOf,
  flag,
  milliseconds,
  named,
  number,
  seconds,
  size,
  some,
  text,
  textMap,
  texts,
} from './values';

const CLAIMS = ['PersistentVolumeClaim', 'DataVolume'];

/** Object of a reference, if it has this kind. */
function referred(given: unknown, kind: string, around: Surroundings): Expression | undefined {
  const reference = fieldsOf(given);
  return reference.kind === kind ? named(around, kind, reference.name) : undefined;
}

/** Factory for the kind of the object: `CloneSource.virtualMachine(vm)`. */
function sourceBy(
  choices: string,
  factories: Readonly<Record<string, string>>,
  given: unknown,
  around: Surroundings,
): Expression | undefined {
  const { kind, name } = fieldsOf(given);
  const factory = typeof kind === 'string' && Object.hasOwn(factories, kind) ? factories[kind] : undefined;
  if (!factory || typeof kind !== 'string') return undefined;
  const subject = named(around, kind === 'PersistentVolumeClaim' ? CLAIMS : kind, name);
  return subject && call(`${choices}.${factory}`, subject);
}

export const snapshot: Mapping = ({ spec }, around) => {
  const { source, deletionPolicy, failureDeadline } = fieldsOf(spec);
  const vm = referred(source, 'VirtualMachine', around);
  return (
    vm && {
      construct: 'VirtualMachineSnapshot',
      props: {
        source: vm,
        deletionPolicy: choice(around, 'SnapshotDeletionPolicy', deletionPolicy),
        failureDeadline: duration(failureDeadline),
      },
    }
  );
};

export const restore: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const target = referred(fields.target, 'VirtualMachine', around);
  const from = named(around, 'VirtualMachineSnapshot', fields.virtualMachineSnapshotName);
  if (!target || !from) return undefined;
  return {
    construct: 'VirtualMachineRestore',
    props: {
      snapshot: from,
      target,
      patches: patchesOf(fields.patches),
      targetReadinessPolicy: choice(around, 'TargetReadinessPolicy', fields.targetReadinessPolicy),
      volumeRestorePolicy: choice(around, 'VolumeRestorePolicy', fields.volumeRestorePolicy),
      volumeOwnershipPolicy: choice(around, 'VolumeOwnershipPolicy', fields.volumeOwnershipPolicy),
      volumeOverrides: each(fields.volumeRestoreOverrides, ({ volumeName, restoreName, labels, annotations }) =>
        typeof volumeName === 'string'
          ? object({
              volumeName: value(volumeName),
              restoreName: text(restoreName),
              labels: textMap(labels),
              annotations: textMap(annotations),
            })
          : undefined,
      ),
    },
  };
};

export const clone: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const kinds = { VirtualMachine: 'virtualMachine', VirtualMachineSnapshot: 'snapshot' };
  const source = sourceBy('CloneSource', kinds, fields.source, around);
  const { labelFilters, annotationFilters } = fieldsOf(fields.template);
  return (
    source && {
      construct: 'VirtualMachineClone',
      props: {
        source,
        targetName: text(fieldsOf(fields.target).name),
        labelFilters: texts(fields.labelFilters),
        annotationFilters: texts(fields.annotationFilters),
        templateLabelFilters: texts(labelFilters),
        templateAnnotationFilters: texts(annotationFilters),
        newMacAddresses: textMap(fields.newMacAddresses),
        newSmbiosSerial: text(fields.newSMBiosSerial),
        patches: patchesOf(fields.patches),
        volumeNamePolicy: choice(around, 'VolumeNamePolicy', fields.volumeNamePolicy),
      },
    }
  );
};

export const vmExport: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const kinds = {
    VirtualMachine: 'virtualMachine',
    VirtualMachineSnapshot: 'snapshot',
    PersistentVolumeClaim: 'claim',
    VirtualMachineBackup: 'backup',
    VirtualMachineTemplate: 'template',
  };
  const source = sourceBy('ExportSource', kinds, fields.source, around);
  return (
    source && {
      construct: 'VirtualMachineExport',
      props: {
        source,
        ttl: duration(fields.ttlDuration),
        tokenSecret: named(around, 'Secret', fields.tokenSecretRef),
      },
    }
  );
};

export const backup: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const kinds = { VirtualMachine: 'virtualMachine', VirtualMachineBackupTracker: 'tracker' };
  const source = sourceBy('BackupSource', kinds, fields.source, around);
  const claim = named(around, CLAIMS, fields.pvcName);
  if (!source || !claim) return undefined;
  return {
    construct: 'VirtualMachineBackup',
    props: {
      source,
      claim,
      mode: choice(around, 'BackupMode', fields.mode),
      tokenSecret: named(around, 'Secret', fields.tokenSecretRef),
      ttl: duration(fields.ttlDuration),
      forceFullBackup: flag(fields.forceFullBackup),
      skipQuiesce: flag(fields.skipQuiesce),
    },
  };
};

export const backupTracker: Mapping = ({ spec }, around) => {
  const source = referred(fieldsOf(spec).source, 'VirtualMachine', around);
  return source && { construct: 'VirtualMachineBackupTracker', props: { source } };
};

export const migration: Mapping = ({ spec }, around) => {
  const { vmiName, priority, addedNodeSelector, sendTo, receive } = fieldsOf(spec);
  const instance = named(around, ['VirtualMachineInstance', 'VirtualMachine'], vmiName);
  const to = fieldsOf(sendTo);
  const from = fieldsOf(receive);
  return (
    instance && {
      construct: 'VirtualMachineInstanceMigration',
      props: {
        instance,
        priority: choice(around, 'MigrationPriority', priority),
        addedNodeSelector: textMap(addedNodeSelector),
        sendTo:
          typeof to.migrationID === 'string' && typeof to.connectURL === 'string'
            ? object({ migrationId: value(to.migrationID), connectUrl: value(to.connectURL) })
            : undefined,
        receive: typeof from.migrationID === 'string' ? object({ migrationId: value(from.migrationID) }) : undefined,
      },
    }
  );
};

export const migrationPolicy: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const { virtualMachineInstanceSelector, namespaceSelector } = fieldsOf(fields.selectors);
  const { compression, downtimeTuning, stallDetector } = fieldsOf(fields.experimental);
  return {
    construct: 'MigrationPolicy',
    props: {
      instanceLabels: textMap(virtualMachineInstanceSelector),
      namespaceLabels: textMap(namespaceSelector),
      bandwidthPerMigration: size(fields.bandwidthPerMigration),
      completionTimeoutPerGib: seconds(fields.completionTimeoutPerGiB),
      allowAutoConverge: flag(fields.allowAutoConverge),
      allowPostCopy: flag(fields.allowPostCopy),
      allowWorkloadDisruption: flag(fields.allowWorkloadDisruption),
      maxDowntime: milliseconds(fields.maxDowntimeMs),
      compression: choice(around, 'MigrationCompression', compression),
      downtimeTuning: downtimeOf(fieldsOf(downtimeTuning)),
      stallDetector: stallsOf(fieldsOf(stallDetector)),
    },
  };
};

const downtimeOf = ({ initialMs, steps, cooldownSeconds, startAfterIteration }: Fields): Expression | undefined =>
  some({
    initial: milliseconds(initialMs),
    steps: number(steps),
    cooldown: seconds(cooldownSeconds),
    startAfterIteration: number(startAfterIteration),
  });

function stallsOf(given: Fields): Expression | undefined {
  // strings in the manifest, numbers in code
  const factor = (name: string): Expression | undefined => {
    const written = given[name];
    return typeof written === 'string' && String(Number(written)) === written ? value(Number(written)) : undefined;
  };
  return some({
    progressTimeout: seconds(given.stallProgressTimeout),
    margin: number(given.stallMargin),
    switchoverTimeout: seconds(given.switchoverTimeout),
    searchLocalMinima: flag(given.searchLocalMinima),
    ewmaAlpha: factor('ewmaAlpha'),
    precopyPossibleFactor: factor('precopyPossibleFactor'),
    patienceWindowDecayFactor: factor('patienceWindowDecayFactor'),
    completionTimeoutFactor: factor('completionTimeoutFactor'),
  });
}

/** JSON patches as strings, if code would render each of them identically. */
function patchesOf(given: unknown): Expression | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const patches = given.map(patchOf);
  return patches.every((patch): patch is Expression => patch !== undefined) ? list(patches) : undefined;
}

function patchOf(given: unknown): Expression | undefined {
  const patch = parsed(given);
  const path = text(patch?.path);
  if (!patch || !path || JSON.stringify(patch) !== given) return undefined;
  const keys = Object.keys(patch).join();
  if (patch.op === 'remove' && keys === 'op,path') return call('JsonPatch.remove', path);
  if ((patch.op === 'add' || patch.op === 'replace') && keys === 'op,path,value') {
    return call(`JsonPatch.${patch.op}`, path, value(patch.value));
  }
  return undefined;
}

function parsed(given: unknown): Fields | undefined {
  try {
    const read: unknown = typeof given === 'string' ? JSON.parse(given) : undefined;
    return isFields(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
