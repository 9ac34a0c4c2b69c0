import { Printer } from '../registry/kind';
import { age } from '../table/format';
import { timestamp } from '../types';
import { labelName } from '../validation/names';
import { define, fieldLabelNotSupported } from './define';

const printer: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Status', type: 'string' },
    { name: 'Age', type: 'string' },
  ],
  row: ({ metadata, status }, now) => [metadata.name!, status?.phase ?? '', age(metadata.creationTimestamp, now)],
};

const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespace = define({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  shortNames: ['ns'],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  status: true,
  returnsDeleted: true,
  nameRule: labelName,
  selectableFields: ['status.phase'],
  unsupportedField: fieldLabelNotSupported,
  fields: ({ status }) => ({ 'status.phase': status?.phase ?? '' }),
  printer,
  defaults({ metadata }) {
    if (metadata.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
  },
  prepareForCreate(object) {
    if (object.metadata.name)
      object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: object.metadata.name };
    object.status = { phase: 'Active' };
    const finalizers: string[] = object.spec?.finalizers ?? [];
    object.spec = { ...object.spec, finalizers: [...new Set([...finalizers, 'kubernetes'])] };
  },
  prepareForUpdate(object, old) {
    // Only the finalize subresource takes finalizers off.
    if (old.spec?.finalizers) object.spec = { ...object.spec, finalizers: old.spec.finalizers };
  },
  validate({ spec }, fields) {
    for (const name of (spec?.finalizers ?? []) as string[]) {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      if (!name.includes('/') && name !== 'kubernetes') fields.child('spec', 'finalizers').invalid(name, why);
    }
  },
  validateStatus({ metadata, status }, _old, fields) {
    const phase: string = status?.phase ?? '';
    const at = fields.child('status', 'Phase');
    if (!metadata.deletionTimestamp) {
      if (phase && phase !== 'Active') at.invalid(phase, "may only be 'Active' if `deletionTimestamp` is empty");
    } else if (phase && phase !== 'Terminating') {
      at.invalid(phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
    }
  },
  beginDeletion(object) {
    object.metadata.deletionTimestamp = timestamp();
    object.status = { ...object.status, phase: 'Terminating' };
  },
  holdsDeletion: (object) => !!object.spec?.finalizers?.length,
});
