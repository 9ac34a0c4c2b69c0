import { Printer } from '../registry/kind';

/** Name and creation time: Kubernetes' default columns. */
export const genericPrinter: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Created At', type: 'date' },
  ],
  row: (object) => [object.metadata.name!, object.metadata.creationTimestamp ?? null],
};
