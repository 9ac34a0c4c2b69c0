/** Parses XML and tracks the elements that were not read. Pure. */
import { DOMParser, type Element as DomElement, ParseError } from '@xmldom/xmldom';

/** Syntax error of an XML document. */
export class XmlProblem extends Error {}

/** Element that tracks which parts were read; `rest()` returns the others. */
export class Xml {
  /** Parses a document. @throws XmlProblem */
  public static parse(text: string): Xml {
    if (/<!ENTITY/.test(text)) throw new XmlProblem('entity declarations are not allowed');
    const problems: string[] = [];
    const onError = (_level: string, message: string): void => void problems.push(message);
    try {
      const root = new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement;
      if (root && problems.length === 0) return new Xml(root);
    } catch (thrown) {
      if (!(thrown instanceof ParseError) && problems.length === 0) throw thrown;
      if (problems.length === 0) problems.push((thrown as Error).message);
    }
    throw new XmlProblem((problems[0] ?? 'the document contains no element').split('\n')[0]!);
  }

  public readonly name: string;
  private readonly attributes: Map<string, { readonly value: string; read: boolean }>;
  private readonly elements: readonly Xml[];
  private readonly content: string;
  private known = false;

  private constructor(element: DomElement) {
    this.name = element.tagName;
    this.attributes = new Map(
      Array.from(element.attributes, ({ name, value }) => [name, { value, read: name.startsWith('xmlns') }] as const),
    );
    const nodes = Array.from(element.childNodes);
    this.elements = nodes.filter((node) => node.nodeType === 1).map((node) => new Xml(node as DomElement));
    this.content = nodes
      .filter((node) => node.nodeType === 3 || node.nodeType === 4)
      .map((node) => node.nodeValue ?? '')
      .join('')
      .trim();
  }

  /** Reads an attribute. */
  public attribute(name: string): string | undefined {
    this.known = true;
    const found = this.attributes.get(name);
    if (found) found.read = true;
    return found?.value;
  }

  /** Reads the first element on the path of these names. */
  public child(...path: readonly string[]): Xml | undefined {
    this.known = true;
    const [name, ...rest] = path;
    if (name === undefined) return this;
    const found = this.elements.find((element) => element.name === name);
    return rest.length === 0 ? found?.seen() : found?.child(...rest);
  }

  /** Reads all child elements of this name. */
  public children(name: string): Xml[] {
    this.known = true;
    return this.elements.filter((element) => element.name === name).map((element) => element.seen());
  }

  /** Reads its text. */
  public text(): string {
    this.known = true;
    return this.content;
  }

  /** Marks the whole element as read, because the platform handles it. */
  public settled(): this {
    this.known = true;
    for (const attribute of this.attributes.values()) attribute.read = true;
    for (const element of this.elements) element.settled();
    return this;
  }

  /** Paths of the parts that were not read: `devices/disk[vda]/iotune`. */
  public rest(path = ''): { readonly path: string; readonly element: string }[] {
    const here = path === '' ? this.name : `${path}/${this.name}`;
    if (!this.known) return [{ path: here, element: this.brief() }];
    const attributes = [...this.attributes]
      .filter(([, { read }]) => !read)
      .map(([name, { value }]) => ({ path: `${here}@${name}`, element: `${name}="${value}"` }));
    return [...attributes, ...this.elements.flatMap((element) => element.rest(here))];
  }

  private seen(): this {
    this.known = true;
    return this;
  }

  /** Prints an element: `<shares>1024</shares>`. */
  private brief(): string {
    const attributes = [...this.attributes].map(([name, { value }]) => ` ${name}="${value}"`).join('');
    const inside = this.elements.length > 0 ? '…' : this.content;
    const text = inside === '' ? `<${this.name}${attributes}/>` : `<${this.name}${attributes}>${inside}</${this.name}>`;
    return text.length > 100 ? `${text.slice(0, 97)}…` : text;
  }
}
