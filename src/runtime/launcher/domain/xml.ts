/** A tree of XML elements as data, and its text. All escaping happens here. */

/** Undefined attributes are omitted; numbers and booleans are written as text (the caller writes 'yes'). */
export type Attributes = Record<string, string | number | undefined>;
/** Values that may be used in place of an element; falsy ones are omitted. */
export type Child = Element | string | undefined | false | null;

export interface Element {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
}

/** `el('disk', { type: 'file' }, el('target', { dev: 'vda' }))` */
export function el(name: string, attributes: Attributes = {}, ...children: Child[]): Element {
  return { name, attributes, children };
}

/** Characters that XML 1.0 cannot contain, even escaped. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that `escape` handles; most texts have none of them. */
const SPECIAL = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function escape(text: string): string {
  if (!SPECIAL.test(text)) return text;
  if (FORBIDDEN.test(text)) throw new Error(`XML cannot hold a control character, got ${JSON.stringify(text)}`);
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}

function startOf({ name, attributes }: Element): string {
  let start = `<${name}`;
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value !== undefined) start += ` ${key}='${escape(String(value))}'`;
  }
  return start;
}

/** The text of an element, two spaces per level; text content stays on its line. */
export function toXml(element: Element, indent = ''): string {
  const start = indent + startOf(element);
  let inner = '';
  let hasElements = false;
  for (const child of element.children) {
    if (!child) continue;
    if (typeof child === 'string') inner += escape(child);
    else {
      hasElements = true;
      inner += toXml(child, `${indent}  `);
    }
  }
  if (inner === '') return `${start}/>\n`;
  if (!hasElements) return `${start}>${inner}</${element.name}>\n`;
  return `${start}>\n${inner}${indent}</${element.name}>\n`;
}

/** libvirt's form of a boolean where it expects 'yes' or 'no'. */
export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
/** libvirt's form of a boolean where it expects 'on' or 'off'. */
export const onOff = (value: boolean): string => (value ? 'on' : 'off');
