export { serverSideApply, updateManagedFields } from './apply';
export { ConflictError, PatchError } from './errors';
export { jsonPatch } from './json-patch';
export { mergePatch } from './merge-patch';
export { strategicMergePatch } from './strategic-merge';
export { keepTimesIfUnchanged } from './timestamps';
