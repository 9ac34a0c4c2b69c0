import { deepEqual, isMap } from '../../json/values';
import { define } from '../define';
import { textPrinter } from '../printers';
import { nonNegative } from './shared';

export const controllerRevision = define({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  printer: textPrinter({
    Controller: ({ metadata }) => {
      const owner = metadata.ownerReferences?.find((reference) => reference.controller);
      if (!owner) return '<none>';
      const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
      return `${owner.kind.toLowerCase()}${group ? `.${group}` : ''}/${owner.name}`;
    },
    Revision: ({ revision }) => revision ?? 0,
  }),
  validate(object, fields) {
    nonNegative(object, ['revision'], fields);
    const { data } = object;
    if (data === undefined || data === null) fields.child('data').required('data is mandatory');
    else if (!isMap(data)) fields.child('data').required('data must be a valid JSON object');
  },
  validateUpdate(next, old, fields) {
    nonNegative(next, ['revision'], fields);
    if (!deepEqual(next.data, old.data)) fields.child('data').invalid(next.data, 'field is immutable');
  },
});
