/** Labels of a stored copy: what it is a copy of. */
export const OBJECT_GENERATION_LABEL = 'instancetype.kubevirt.io/object-generation';
export const OBJECT_KIND_LABEL = 'instancetype.kubevirt.io/object-kind';
export const OBJECT_NAME_LABEL = 'instancetype.kubevirt.io/object-name';
export const OBJECT_UID_LABEL = 'instancetype.kubevirt.io/object-uid';
export const OBJECT_VERSION_LABEL = 'instancetype.kubevirt.io/object-version';
