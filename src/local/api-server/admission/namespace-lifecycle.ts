import { errors } from '../errors';
import { subjectOf } from '../registry/kind';
import { Store } from '../store/store';
import { Attributes, Plugin } from './admission';

const IMMORTAL = ['default', 'kube-system', 'kube-public'];

/** Rejects objects in missing or terminating namespaces, and the deletion of three system namespaces. */
export class NamespaceLifecycle implements Plugin {
  public readonly name = 'NamespaceLifecycle';

  public constructor(private readonly store: Store) {}

  public mutate({ operation, kind, name, namespace }: Attributes): void {
    if (kind.plural === 'namespaces' && !kind.group) {
      if (operation === 'DELETE' && IMMORTAL.includes(name)) {
        throw errors.forbidden(subjectOf(kind), name, 'this namespace may not be deleted');
      }
      return;
    }
    if (!kind.namespaced || operation === 'DELETE') return;
    const found = this.store.get({ resource: '/namespaces', namespace: '', name: namespace });
    if (!found) throw errors.notFound({ group: '', resource: 'namespaces' }, namespace);
    if (operation !== 'CREATE' || found.status?.phase !== 'Terminating') return;
    throw errors.forbidden(
      subjectOf(kind),
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}
