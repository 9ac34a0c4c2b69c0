import type { Mapping } from './kind';

export const virtualMachine: Mapping = () => undefined;
