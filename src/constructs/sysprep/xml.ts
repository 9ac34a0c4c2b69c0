/** XML as a tree: nothing is put together from text, so that nothing can be left unescaped. Pure. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text, or elements; `raw` is XML already. */
  readonly content: string | readonly XmlElement[] | { readonly raw: string };
}

/** `undefined` among the children is left out, so that a part can be optional in its place. */
export function element(
  name: string,
  content: string | number | boolean | readonly (XmlElement | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  if (typeof content !== 'object') return { name, attributes, content: String(content) };
  return { name, attributes, content: content.filter((child) => child !== undefined) };
}

/** What others wrote as XML. */
export function rawXml(raw: string): XmlElement {
  return { name: '', attributes: {}, content: { raw } };
}

/** A document, indented by two spaces. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${render(root, '')}`;
}

function render({ name, attributes, content }: XmlElement, indent: string): string {
  if (typeof content === 'object' && 'raw' in content) {
    return `${content.raw
      .trim()
      .split('\n')
      .map((line) => `${indent}${line}`)
      .join('\n')}\n`;
  }
  const head = `${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')}`;
  if (typeof content === 'string') return `${indent}<${head}>${escapeXml(content)}</${name}>\n`;
  if (content.length === 0) return `${indent}<${head}/>\n`;
  return `${indent}<${head}>\n${content.map((child) => render(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML 1.0 cannot hold at all is refused by the rules before. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]);
}
