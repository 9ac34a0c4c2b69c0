/** Label of everything that virt-operator manages. */
export const MANAGED = { 'app.kubernetes.io/managed-by': 'virt-operator' } as const;
