/** Message of any thrown value: that of an `Error`, otherwise the value as text. */
export const errorText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
