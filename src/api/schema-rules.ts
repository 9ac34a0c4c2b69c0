/**
 * The CEL rules of `api/schema` by their text, for who judges without an API server. A CEL interpreter would be larger
 * than all schemas together. Each answers whether its object, text or list is lawful; null is absence.
 */

type Fields = Readonly<Record<string, unknown>>;

const has = (self: unknown, field: string): boolean => ((self as Fields)[field] ?? undefined) !== undefined;
const filled = (self: unknown, field: string): boolean => has(self, field) && (self as Fields)[field] !== '';
const is = (self: unknown, field: string, ...values: unknown[]): boolean => values.includes((self as Fields)[field]);

export const schemaRules: Readonly<Record<string, (self: unknown) => boolean>> = {
  'has(self.apiGroup)': (self) => has(self, 'apiGroup'),
  "!has(self.apiGroup) || self.apiGroup == 'kubevirt.io' || self.apiGroup == 'backup.kubevirt.io'": (self) =>
    !has(self, 'apiGroup') || is(self, 'apiGroup', 'kubevirt.io', 'backup.kubevirt.io'),
  "!has(self.apiGroup) || (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine') || (self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')":
    (self) =>
      !has(self, 'apiGroup') ||
      (is(self, 'apiGroup', 'kubevirt.io') && is(self, 'kind', 'VirtualMachine')) ||
      (is(self, 'apiGroup', 'backup.kubevirt.io') && is(self, 'kind', 'VirtualMachineBackupTracker')),
  "has(self.apiGroup) && self.apiGroup == 'kubevirt.io'": (self) => is(self, 'apiGroup', 'kubevirt.io'),
  "self.kind == 'VirtualMachine'": (self) => is(self, 'kind', 'VirtualMachine'),
  "self.name != ''": (self) => !is(self, 'name', ''),
  'has(self.pvcName) && self.pvcName != ""': (self) => filled(self, 'pvcName'),
  '!has(self.mode) || self.mode != \'Pull\' || (has(self.tokenSecretRef) && self.tokenSecretRef != "")': (self) =>
    !is(self, 'mode', 'Pull') || filled(self, 'tokenSecretRef'),
  "self.all(am, am in ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'])": (self) =>
    (self as unknown[]).every((mode) =>
      ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'].includes(mode as string),
    ),
  "self.all(k, !k.startsWith('template.kubevirt.io/'))": (self) =>
    Object.keys(self as Fields).every((key) => !key.startsWith('template.kubevirt.io/')),
  "self.startsWith('/')": (self) => (self as string).startsWith('/'),
  "!self.contains('..')": (self) => !(self as string).includes('..'),
  'self == true': (self) => self === true,
};
