import * as ast from 'typescript/unstable/ast'
import { API, SymbolFlags, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync'
import { addressOf } from '../repository.ts'

const root = addressOf('')
const builders = /^(Aliased|Raw|Select|Insert|Update|Delete|MergeInto|Compilable)\w*Builder$|^(Aliased|Operand)?Expression(Wrapper)?$/
const written = /^(apps|base|database|features)\/|^tools\/statements\/sample\.ts$/
const elsewhere = /\.test\.tsx?$|^base\/testing\/|\/(web|admin)\//

type Change = { change: ast.BinaryExpression | ast.CallExpression; under: { condition: ast.Expression; is: boolean }[] }

/** The program as the compiler sees it: declarations of names and types of nodes. */
export class Source {
  readonly #api = new API({ cwd: root })
  readonly #project: Project
  readonly #declarations = new Map<ast.Node, ast.Node | null>()
  readonly #types = new Map<ast.Node, Type | undefined>()
  #calls: Map<string, ast.CallExpression[]> | null = null
  readonly #carriers = new Map<number, boolean>()

  constructor() {
    const config = `${root}tsconfig.json`
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error('The compiler does not know this project')
    this.#project = project
  }

  get checker(): Checker {
    return this.#project.checker
  }

  close(): void {
    this.#api.close()
  }

  /** The server's files, without tests. */
  files(): ast.SourceFile[] {
    const paths = this.#project.rootFiles.filter((path) => isOfServer(path.slice(root.length)))
    return paths.flatMap((path) => this.#project.program.getSourceFile(path) ?? [])
  }

  /** The expression that makes the program's list of features. */
  features(): ast.Expression {
    const file = this.#project.program.getSourceFile(`${root}apps/server/features.ts`)
    const statements = file?.statements
      .flatMap((statement) => (ast.isVariableStatement(statement) ? [...statement.declarationList.declarations] : []))
      .find(({ name }) => ast.isIdentifier(name) && name.text === 'features')?.initializer
    if (!statements) throw new Error('The program has no list of features')
    return statements
  }

  typeOf(node: ast.Node): Type | undefined {
    if (!this.#types.has(node)) this.#types.set(node, this.checker.getTypeAtLocation(node))
    return this.#types.get(node)
  }

  typeOfProperty(type: Type, name: string): Type | undefined {
    const property = this.checker.getPropertyOfType(type, name)
    return property && this.checker.getTypeOfSymbol(property)
  }

  /** The declaration of a name, through imports; null for external code. */
  declarationOf(name: ast.Node): ast.Node | null {
    const known = this.#declarations.get(name)
    if (known !== undefined) return known
    const found = this.#find(name)
    this.#declarations.set(name, found)
    return found
  }

  #find(name: ast.Node): ast.Node | null {
    const { parent } = name
    const isShort = ast.isShorthandPropertyAssignment(parent)
    const at = isShort ? this.checker.getShorthandAssignmentValueSymbol(parent) : this.checker.getSymbolAtLocation(name)
    const symbol = at && at.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(at) : at
    const declared = symbol?.valueDeclaration?.resolve(this.#project) ?? null
    return declared && declared.getSourceFile().isDeclarationFile ? null : declared
  }

  /** Every SQL fragment in the program. */
  pieces(): ast.Node[] {
    const pieces: ast.Node[] = []
    const visit = (node: ast.Node): void => {
      if (ast.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') pieces.push(node)
      node.forEachChild(visit)
    }
    for (const file of this.files()) visit(file)
    return pieces
  }

  /** All calls of a function. */
  callsOf(declaration: ast.Node): ast.CallExpression[] {
    const { name } = (ast.isFunctionDeclaration(declaration) ? declaration : declaration.parent) as { name?: ast.Node }
    this.#calls ??= this.#allCalls()
    const calls = this.#calls.get(name?.getText() ?? '') ?? []
    return calls.filter(({ expression }) => {
      const found = this.declarationOf(ast.isPropertyAccessExpression(expression) ? expression.name : expression)
      return found === declaration || (found && ast.isVariableDeclaration(found) && found.initializer === declaration)
    })
  }

  #allCalls(): Map<string, ast.CallExpression[]> {
    const calls: ast.CallExpression[] = []
    const visit = (node: ast.Node): void => {
      if (ast.isCallExpression(node)) calls.push(node)
      node.forEachChild(visit)
    }
    for (const file of this.files()) visit(file)
    return Map.groupBy(calls, ({ expression }) =>
      ast.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText(),
    )
  }

  /** The statements that change a variable after its declaration, with their conditions. */
  changesOf(declared: ast.VariableDeclaration): Change[] {
    const home = declared.parent.parent.parent
    const changes: Change[] = []
    const visit = (node: ast.Node): void => {
      if (ast.isExpressionStatement(node)) {
        const { expression: change } = node
        const target = targetOf(change)
        if (target?.getText() === declared.name.getText() && this.declarationOf(target) === declared)
          changes.push({ change: change as ast.BinaryExpression | ast.CallExpression, under: conditionsOf(node, home) })
      }
      node.forEachChild(visit)
    }
    visit(home)
    return changes
  }

  pathOf(node: ast.Node): string {
    return node.getSourceFile().fileName.slice(root.length)
  }

  placeOf(node: ast.Node): string {
    const file = node.getSourceFile()
    const line = file.text.slice(0, node.getStart(file)).split('\n').length
    return `${this.pathOf(node)}:${line}`
  }

  /** True if a value of the type is or holds SQL, so that it cannot be a parameter of a statement. */
  carriesSql(type: Type | undefined, depth = 0): boolean {
    if (!type || depth > 6) return false
    const known = this.#carriers.get(type.id)
    if (known !== undefined) return known
    this.#carriers.set(type.id, false)
    const carries = this.#carries(type, depth + 1)
    this.#carriers.set(type.id, carries)
    return carries
  }

  #carries(type: Type, depth: number): boolean {
    if (type.isUnionType() || type.isIntersectionType()) return type.getTypes().some((one) => this.carriesSql(one, depth))
    if (!type.isObjectType()) return false
    const name = type.getSymbol()?.name ?? ''
    if (builders.test(name)) return true
    if (type.isTypeReference() && this.checker.getTypeArguments(type).some((one) => this.carriesSql(one, depth))) return true
    const results = this.checker.getSignaturesOfType(type, 0).map((signature) => this.checker.getReturnTypeOfSignature(signature))
    if (results.some((one) => this.carriesSql(one, depth))) return true
    if (name !== '__type' && name !== '__object') return false
    return this.checker.getPropertiesOfType(type).some((property) => this.carriesSql(this.checker.getTypeOfSymbol(property), depth))
  }
}

function isOfServer(path: string): boolean {
  return written.test(path) && !elsewhere.test(path)
}

export function symbolNames(type: Type): string[] {
  return [type.getSymbol(), type.getAliasSymbol()].flatMap((symbol: Symbol | undefined) => symbol?.name ?? [])
}

function conditionsOf(node: ast.Node, home: ast.Node): Change['under'] {
  const found: Change['under'] = []
  for (let at = node; at !== home; at = at.parent)
    if (ast.isIfStatement(at.parent)) found.push({ condition: at.parent.expression, is: at === at.parent.thenStatement })
  return found.reverse()
}

function targetOf(change: ast.Expression): ast.Expression | null {
  if (ast.isBinaryExpression(change) && change.operatorToken.kind === ast.SyntaxKind.EqualsToken) return change.left
  if (!ast.isCallExpression(change) || !ast.isPropertyAccessExpression(change.expression)) return null
  return change.expression.name.text === 'push' ? change.expression.expression : null
}
