/** Permissions that each program of the platform needs, and permissions for users. Roles are generated from them. */
export * from './grant';
export * from './objects';
export * from './upload-proxy';
export * from './users';
export * from './virt-api';
export * from './virt-controller';
export * from './virt-handler';
export * from './virt-operator';
