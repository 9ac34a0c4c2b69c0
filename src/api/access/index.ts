/** What each program of the platform does with the Kubernetes API, and what users may be given. Roles follow from it. */
export * from './grant';
export * from './users';
export * from './virt-api';
export * from './virt-controller';
export * from './virt-handler';
export * from './virt-operator';
