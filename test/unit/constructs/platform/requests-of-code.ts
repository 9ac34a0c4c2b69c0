import { join, relative } from 'node:path';
import ts from 'typescript';
import { resources } from '../../../../src/runtime/kube';

/**
 * Which requests a component's source can make, found by following every name from its `main.ts` through the type
 * checker: what nothing reaches is not counted. The check distinguishes calls of the client with a collection
 * (`client.get(resources.pods, …)`), informers, and the look-ups of pure decisions (`find('Pod', …)`).
 */
export interface RequestsOfCode {
  /** `pods` -> verbs, sorted; the core group is ``: `group/resource`, `group/resource/subresource`. */
  readonly verbs: ReadonlyMap<string, ReadonlySet<string>>;
  /** Requests whose collection cannot be read from the source: `file: text`. */
  readonly unclear: readonly string[];
}

const checkout = join(__dirname, '../../../..');
const sources = join(checkout, 'src');

const CLIENT_VERBS: Readonly<Record<string, string>> = {
  get: 'get',
  find: 'get',
  list: 'list',
  create: 'create',
  replace: 'update',
  patch: 'patch',
  delete: 'delete',
  watch: 'watch',
};
/** Requests by path: nobody can read from the source what they ask for. */
const BY_PATH = ['request', 'stream', 'websocket'];
const LOOKUP_VERBS: Readonly<Record<string, string>> = { find: 'get', list: 'list' };

const collections = resources as Record<string, (typeof resources)[keyof typeof resources]>;
const byKind = new Map(Object.values(collections).map((resource) => [resource.kind as string, resource]));

/** Programs are slow to make: one serves all components. */
export class SourceCode {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;

  public constructor(entries: readonly string[]) {
    const { config } = ts.readConfigFile(join(checkout, 'tsconfig.dev.json'), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, checkout);
    this.program = ts.createProgram(
      entries.map((entry) => join(sources, entry)),
      options,
    );
    this.checker = this.program.getTypeChecker();
  }

  public requestsOf(entry: string): RequestsOfCode {
    const main = this.program.getSourceFile(join(sources, entry));
    if (!main) throw new Error(`src/${entry} is not a source of the program`);
    const walk = new Walk(this.checker);
    walk.visit(main);
    return walk;
  }
}

class Walk implements RequestsOfCode {
  public readonly verbs = new Map<string, Set<string>>();
  public readonly unclear: string[] = [];
  private readonly seen = new Set<ts.Node>();

  public constructor(private readonly checker: ts.TypeChecker) {}

  public visit(node: ts.Node): void {
    if (this.seen.has(node)) return;
    this.seen.add(node);
    const walk = (child: ts.Node): void => {
      if (ts.isImportDeclaration(child) || ts.isExportDeclaration(child) || ts.isTypeNode(child)) return;
      if (ts.isInterfaceDeclaration(child) || ts.isTypeAliasDeclaration(child)) return;
      if (ts.isIdentifier(child)) this.follow(child);
      if (ts.isCallExpression(child)) this.call(child);
      if (ts.isPropertyAccessExpression(child)) this.collectionElsewhere(child);
      if (ts.isNewExpression(child) && child.expression.getText() === 'Informer') this.informer(child);
      ts.forEachChild(child, walk);
    };
    ts.forEachChild(node, walk);
  }

  /** To the declaration of a name, wherever it is imported from. */
  private follow(name: ts.Identifier): void {
    let symbol = this.checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
    if (ts.isShorthandPropertyAssignment(name.parent)) {
      symbol = this.checker.getShorthandAssignmentValueSymbol(name.parent) ?? symbol;
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
    }
    for (const declaration of symbol?.declarations ?? []) {
      const isOurs = declaration.getSourceFile().fileName.startsWith(`${sources}/`);
      // the table of all collections is not a request
      if (isOurs && !declaration.getSourceFile().fileName.endsWith('/kube/resources.ts')) this.visit(declaration);
    }
  }

  private call(call: ts.CallExpression): void {
    const { expression, arguments: args } = call;
    const name = ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : ts.isIdentifier(expression)
        ? expression.text
        : '';
    const [first] = args;
    if (!first) return;
    const verb = CLIENT_VERBS[name];
    if (BY_PATH.includes(name) && ts.isPropertyAccessExpression(expression) && this.isClient(expression.expression)) {
      this.unclear.push(this.where(call));
      return;
    }
    if (verb && ts.isPropertyAccessExpression(expression) && this.isClient(expression.expression)) {
      const [resource, unclear] = this.collection(first);
      if (unclear) this.unclear.push(this.where(call));
      else if (resource) for (const sub of this.subresources(args[1])) this.add(resource, sub, verb);
      return;
    }
    const lookup = LOOKUP_VERBS[name];
    if (lookup && this.isLookup(expression)) {
      const kinds = this.literals(first);
      if (!kinds) this.unclear.push(this.where(call));
      for (const kind of kinds ?? []) {
        const resource = byKind.get(kind);
        if (resource) this.add(resource, undefined, lookup);
        else this.unclear.push(`${this.where(call)}: kind ${kind} is in no table`);
      }
    }
  }

  /** `resources.pods` passed to something other than a request, whose use is not visible here. */
  private collectionElsewhere(node: ts.PropertyAccessExpression): void {
    if (node.expression.getText() !== 'resources' || !collections[node.name.text]) return;
    const { parent } = node;
    const isRead = ts.isPropertyAccessExpression(parent);
    const isInformer = ts.isNewExpression(parent) && parent.expression.getText() === 'Informer';
    const isRequest =
      ts.isCallExpression(parent) &&
      parent.arguments[0] === node &&
      ts.isPropertyAccessExpression(parent.expression) &&
      parent.expression.name.text in CLIENT_VERBS;
    if (!isRead && !isInformer && !isRequest) this.unclear.push(this.where(parent));
  }

  private informer({ arguments: args }: ts.NewExpression): void {
    const [resource] = args?.[1] ? this.collection(args[1]) : [];
    if (!resource) return;
    this.add(resource, undefined, 'list');
    this.add(resource, undefined, 'watch');
  }

  private add(resource: { group: string; plural: string }, subresource: string | undefined, verb: string): void {
    const key = [`${resource.group}/${resource.plural}`, subresource].filter(Boolean).join('/');
    const verbs = this.verbs.get(key) ?? new Set<string>();
    this.verbs.set(key, verbs.add(verb));
  }

  private isClient(node: ts.Expression): boolean {
    return this.checker.getTypeAtLocation(node).symbol?.name === 'KubeClient';
  }

  /** A function that takes a kind, a namespace and a name, as `Find` and `FindAll` do. */
  private isLookup(callee: ts.Expression): boolean {
    const signature = this.checker.getTypeAtLocation(callee).getCallSignatures()[0];
    const names = signature?.parameters.map((parameter) => parameter.name) ?? [];
    return names[0] === 'kind' && names[1] === 'namespace';
  }

  /** `resources.pods` -> its collection; other expressions are unclear unless they only pass one on. */
  private collection(node: ts.Expression): [(typeof resources)[keyof typeof resources] | undefined, boolean] {
    if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'resources') {
      return [collections[node.name.text], false];
    }
    return [undefined, true];
  }

  /** The subresources that the second argument may name; `undefined` is the object itself. */
  private subresources(ref: ts.Expression | undefined): (string | undefined)[] {
    const type = ref && this.checker.getTypeAtLocation(ref).getProperty('subresource');
    if (!type) return [undefined];
    const given = type.valueDeclaration;
    const text = given && ts.isPropertyAssignment(given) ? given.initializer : undefined;
    if (text && ts.isStringLiteral(text)) return [text.text];
    const of = this.checker.getTypeOfSymbolAtLocation(type, ref);
    const parts = of.isUnion() ? of.types : [of];
    const literals = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    const isOptional = parts.some((part) => part.flags & ts.TypeFlags.Undefined) || literals.length === 0;
    const isText = parts.some((part) => part.flags & ts.TypeFlags.String);
    return [...(isOptional ? [undefined] : []), ...literals, ...(isText ? this.handedThrough(ref) : [])];
  }

  /** `subresource` is a parameter of a method of ours: the literals that its callers give for it. */
  private handedThrough(ref: ts.Expression): string[] {
    const owner = ts.findAncestor(ref, (node): node is ts.MethodDeclaration => ts.isMethodDeclaration(node));
    const index = owner?.parameters.findIndex((parameter) => parameter.name.getText() === 'subresource') ?? -1;
    if (!owner || index < 0) {
      this.unclear.push(this.where(ref));
      return [];
    }
    const found = new Set<string>();
    const look = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && this.checker.getResolvedSignature(node)?.declaration === owner) {
        for (const text of this.literals(node.arguments[index]) ?? []) found.add(text);
      }
      ts.forEachChild(node, look);
    };
    look(owner.getSourceFile());
    return [...found];
  }

  private literals(node: ts.Expression | undefined): string[] | undefined {
    if (!node) return [];
    const type = this.checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    const known = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    return known.length === parts.length ? known : undefined;
  }

  private where(node: ts.Node): string {
    const text = node.getText().split('\n')[0]!.slice(0, 80);
    return `${relative(sources, node.getSourceFile().fileName)}: ${text}`;
  }
}
