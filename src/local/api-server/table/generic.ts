import { Printer } from '../registry/kind';

/** Name and creation time: what Kubernetes prints of kinds without columns of their own. */
export const genericPrinter: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Created At', type: 'date' },
  ],
  row: (object) => [object.metadata.name!, object.metadata.creationTimestamp ?? null],
};
