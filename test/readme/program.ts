/** One TypeScript program over the sources and code that stands nowhere on disk. */
import ts from 'typescript';
import { root } from '../examples/run.js';

const src = (path: string) => [`${root}src/${path}`];

export type Program = {
  /** What the compiler has to say of the given files, one line each. */
  problems: string[];
  /** Names that a file exports, types included. */
  exportsOf(file: string): string[];
  /** Property names of an exported object type, or of what its `property` is or lists; of a union, those of all of its members. */
  keysOf(file: string, type: string, property?: string): string[];
  /**
   * Every path into an object type, through lists and unions; a member of a union that names its `type` adds that as a
   * step: `tools.web_search.filters`.
   */
  pathsOf(file: string, type: string): string[];
  /** The texts that a property of a type can be, through unions. */
  textsOf(file: string, type: string, property: string): string[];
};

/** `files`: name → code; they are checked as if they stood in the project's folder. */
export function check(files: Record<string, string>): Program {
  const options = {
    ...readOptions(),
    noEmit: true,
    paths: {
      'ai-sdk-provider-perplexity-agent': src('index.ts'),
      'ai-sdk-provider-perplexity-agent/v3': src('v3.ts'),
      'ai-sdk-provider-perplexity-agent/v4': src('v4.ts'),
      'ai-sdk-provider-perplexity-agent/simulator': src('simulator/index.ts'),
      'ai-sdk-provider-perplexity-agent/simulator/node': src('simulator/node.ts'),
    },
  };
  const virtual = new Map(Object.entries(files).map(([name, code]) => [`${root}${name}`, code]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => virtual.has(name) || fileExists(name);
  host.readFile = (name) => virtual.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...rest) => {
    const code = virtual.get(name);
    const [target] = rest;
    return code === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, code, target, true);
  };
  const program = ts.createProgram([...virtual.keys()], options, host);
  const checker = program.getTypeChecker();

  function exportsOf(file: string): ts.Symbol[] {
    const module = program.getSourceFile(`${root}${file}`);
    const symbol = module && checker.getSymbolAtLocation(module);
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  }
  function typeOf(file: string, name: string): ts.Type {
    const found = exportsOf(file).find((exported) => exported.name === name);
    if (found === undefined) throw new Error(`${file} exports no type ${name}`);
    const isAlias = (found.flags & ts.SymbolFlags.Alias) !== 0;
    return checker.getDeclaredTypeOfSymbol(isAlias ? checker.getAliasedSymbol(found) : found);
  }
  const isObject = (type: ts.Type) => (type.flags & ts.TypeFlags.Object) !== 0;

  /** What a property is, or what is in it if it is a list. */
  function typeIn(owner: ts.Type, property: string): ts.Type {
    const symbol = owner.getProperty(property);
    if (symbol === undefined) throw new Error(`there is no property ${property}`);
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
    // A text has numbers as keys, too: its characters.
    return isObject(type) ? (type.getNumberIndexType() ?? type) : type;
  }
  const membersOf = (type: ts.Type) => (type.isUnion() ? type.types : [type]);

  function pathsIn(type: ts.Type, prefix: string): string[] {
    return type.getProperties().flatMap(({ name }) => {
      if (prefix !== '' && name === 'type') return [];
      const path = `${prefix}${name}`;
      const inner = membersOf(typeIn(type, name)).filter((member) => isObject(member));
      return [path, ...inner.flatMap((member) => pathsBelow(member, path))];
    });
  }
  function pathsBelow(member: ts.Type, path: string): string[] {
    const kind = member.getProperty('type') && typeIn(member, 'type');
    if (!kind?.isStringLiteral()) return pathsIn(member, `${path}.`);
    return [`${path}.${kind.value}`, ...pathsIn(member, `${path}.${kind.value}.`)];
  }

  return {
    problems: [...virtual.keys()].flatMap((name) => {
      const file = program.getSourceFile(name);
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
        ({ messageText, start = 0 }) => {
          const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
          return `${name.slice(root.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
        },
      );
    }),
    exportsOf: (file) => exportsOf(file).map(({ name }) => name),
    keysOf: (file, type, property) => {
      const owner = typeOf(file, type);
      const members = membersOf(property === undefined ? owner : typeIn(owner, property));
      return [...new Set(members.flatMap((member) => member.getProperties().map(({ name }) => name)))];
    },
    pathsOf: (file, type) => pathsIn(typeOf(file, type), ''),
    textsOf: (file, type, property) =>
      membersOf(typeOf(file, type)).flatMap((member) => {
        const symbol = member.getProperty(property);
        if (symbol === undefined) return [];
        return membersOf(checker.getTypeOfSymbol(symbol)).flatMap((value) =>
          value.isStringLiteral() ? [value.value] : [],
        );
      }),
  };
}

/** JavaScript that Node can run. */
export function toJavaScript(code: string): string {
  const compilerOptions = { ...readOptions(), module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: object };
  };
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
}
