/** A document of cloud-init, or a part of one. */
export type Config = Record<string, unknown>;

/** A key, where it has a value. */
export const given = (key: string, value: unknown): Config => (value === undefined ? {} : { [key]: value });
