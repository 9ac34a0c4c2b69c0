export { startStorage, STORAGE_CLASS } from './storage';
export type { Storage, StorageOptions } from './storage';
