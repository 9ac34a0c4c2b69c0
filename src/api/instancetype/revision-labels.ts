import { keys } from '../keys';

/** Labels of a revision, which identify the object that it is a copy of. */
export const OBJECT_GENERATION_LABEL = keys.revisionGeneration;
export const OBJECT_KIND_LABEL = keys.revisionKind;
export const OBJECT_NAME_LABEL = keys.revisionName;
export const OBJECT_UID_LABEL = keys.revisionUid;
export const OBJECT_VERSION_LABEL = keys.revisionVersion;
