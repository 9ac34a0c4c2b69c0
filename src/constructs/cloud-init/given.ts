/** Document of cloud-init, or a part of one. */
export type Config = Record<string, unknown>;

/** Returns an object with the key, or an empty object if the value is undefined. */
export const given = (key: string, value: unknown): Config => (value === undefined ? {} : { [key]: value });
