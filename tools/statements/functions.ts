import * as ast from 'typescript/unstable/ast'
import { partBound, placeKey } from './names.ts'
import type { Callable, Env, Run } from './run.ts'
import { isTrue } from './truth.ts'
import { DeadEnd, keyOf, NotComposable, expanded, settled, Unknown } from './values.ts'

type End = { value: unknown }
type Closure = (...given: unknown[]) => unknown

const closures = new WeakMap<object, Callable>()

/** A function of the program, callable in the evaluation. */
export function closure(run: Run, declared: Callable, env: Env | null): Closure {
  const called: Closure = (...args) => {
    const { within } = run.paths
    run.paths.within = placeKey(declared)
    const value = call(run, declared, args, env)
    run.paths.within = within
    return value
  }
  closures.set(called, declared)
  return called
}

/** The declaration of such a function. */
export function declaredAs(value: unknown): Callable | undefined {
  return typeof value === 'function' ? closures.get(value) : undefined
}

function call(run: Run, declared: Callable, args: unknown[], outer: Env | null): unknown {
  const { parameters, body } = declared
  const env: Env = { parent: outer, values: new Map() }
  for (const [place, parameter] of parameters.entries()) {
    const own = parameter.dotDotDotToken ? args.slice(place) : args[place]
    bind(run, parameter, own === undefined && parameter.initializer ? run.evaluate(parameter.initializer, env) : own, env)
  }
  if (declared.asteriskToken) return yielded(run, declared, env)
  if (!body) throw new NotComposable('a function without a body')
  return ast.isBlock(body) ? execute(run, body.statements, env)?.value : run.evaluate(body, env)
}

/** One of each expression that a generator yields. */
function yielded(run: Run, declared: Callable, env: Env): unknown[] {
  const found: unknown[] = []
  const visit = (node: ast.Node): void => {
    if (ast.isYieldExpression(node) && node.expression && !node.asteriskToken) found.push(run.evaluate(node.expression, env))
    node.forEachChild(visit)
  }
  if (declared.body) visit(declared.body)
  return found
}

function bind(run: Run, declared: ast.ParameterDeclaration | ast.VariableDeclaration, value: unknown, env: Env): void {
  env.values.set(declared, value)
  const { name } = declared
  if (!ast.isIdentifier(name)) bindParts(run, name, value, env)
}

function bindParts(run: Run, pattern: ast.BindingPattern, whole: unknown, env: Env): void {
  for (const element of pattern.elements) {
    if (!ast.isBindingElement(element) || !element.name) continue
    const value = partBound(run, element, whole, env)
    env.values.set(element, value)
    if (!ast.isIdentifier(element.name)) bindParts(run, element.name, value, env)
  }
}

function execute(run: Run, statements: readonly ast.Statement[], env: Env): End | null {
  for (const statement of statements) {
    const end = step(run, statement, env)
    if (end) return end
  }
  return null
}

function step(run: Run, statement: ast.Statement, env: Env): End | null {
  if (ast.isReturnStatement(statement)) return { value: statement.expression && run.evaluate(statement.expression, env) }
  if (ast.isVariableStatement(statement)) {
    for (const declared of statement.declarationList.declarations) declare(run, declared, env)
    return null
  }
  if (ast.isExpressionStatement(statement)) {
    run.evaluate(statement.expression, env)
    return null
  }
  if (ast.isBlock(statement)) return execute(run, statement.statements, env)
  if (ast.isIfStatement(statement)) {
    const taken = isTrue(run, run.evaluate(statement.expression, env)) ? statement.thenStatement : statement.elseStatement
    return taken ? step(run, taken, env) : null
  }
  if (ast.isForOfStatement(statement)) return loop(run, statement, env)
  if (ast.isSwitchStatement(statement)) return choose(run, statement, env)
  if (ast.isThrowStatement(statement)) throw new DeadEnd()
  if (ast.isFunctionDeclaration(statement)) return null
  throw new NotComposable(`a statement at ${run.source.placeOf(statement)}`)
}

function declare(run: Run, declared: ast.VariableDeclaration, env: Env): void {
  bind(run, declared, declared.initializer && run.evaluate(declared.initializer, env), env)
}

function loop(run: Run, { initializer, expression, statement }: ast.ForOfStatement, env: Env): End | null {
  const list = expanded(run.source, settled(run.paths, run.evaluate(expression, env)))
  const declared = ast.isVariableDeclarationList(initializer) ? initializer.declarations[0] : undefined
  if (!Array.isArray(list) || !declared) throw new NotComposable(`a loop at ${run.source.placeOf(expression)}`)
  for (const value of list) {
    bind(run, declared, value, env)
    const end = step(run, statement, env)
    if (end) return end
  }
  return null
}

function choose(run: Run, { expression, caseBlock }: ast.SwitchStatement, env: Env): End | null {
  const value = settled(run.paths, run.evaluate(expression, env))
  const { clauses } = caseBlock
  const first =
    value instanceof Unknown
      ? run.paths.choose(clauses.length, keyOf(value))
      : clauses.findIndex((clause) => ast.isDefaultClause(clause) || run.evaluate(clause.expression, env) === value)
  for (const { statements } of first < 0 ? [] : clauses.slice(first)) {
    const last = statements.findIndex((one) => ast.isBreakStatement(one))
    const end = execute(run, last < 0 ? statements : statements.slice(0, last), env)
    if (end ?? last >= 0) return end
  }
  return null
}
