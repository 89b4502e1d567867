import * as ast from 'typescript/unstable/ast'
import { declaredAs } from './functions.ts'
import { list, member } from './members.ts'
import { asGiven } from './names.ts'
import type { Env, Run } from './run.ts'
import {
  asAnyLength,
  DeadEnd,
  isChoice,
  isOfAnyLength,
  NotComposable,
  expanded,
  settled,
  settledNull,
  resolved,
  Unknown,
  unknownOf,
} from './values.ts'

const runs = /^(execute|executeTakeFirst|executeTakeFirstOrThrow|stream)$/

export function callOf(run: Run, node: ast.CallExpression, env: Env | null): unknown {
  const { expression: callee } = node
  if (ast.isPropertyAccessExpression(callee) && !isNamespace(run, callee.expression)) return method(run, node, callee, env)
  const called = run.evaluate(callee, env)
  const settledCalled = called instanceof Unknown ? asGiven(run, called) : called
  return applied(run, node, settledCalled, null, env)
}

function isNamespace(run: Run, node: ast.Expression): boolean {
  const declared = ast.isIdentifier(node) && run.source.declarationOf(node)
  return declared !== false && declared !== null && ast.isSourceFile(declared)
}

function method(run: Run, node: ast.CallExpression, callee: ast.PropertyAccessExpression, env: Env | null): unknown {
  const name = callee.name.text
  const result = () => unknownOf(run.source.typeOf(node), node)
  if (runs.test(name)) return result()
  const owner = run.evaluate(callee.expression, env)
  let receiver = callee.questionDotToken ? settledNull(run.paths, owner) : owner
  if (receiver === undefined || receiver === null) return undefined
  if (receiver === Promise) return name === 'all' ? run.evaluate(node.arguments[0] as ast.Expression, env) : result()
  receiver = resolved(receiver)
  if (receiver instanceof Unknown) {
    if (!run.source.carriesSql(run.source.typeOf(node))) return result()
    receiver = expanded(run.source, asGiven(run, receiver))
    if (receiver instanceof Unknown) return result()
  }
  return applied(run, node, member(run, callee, receiver, name), receiver, env)
}

function applied(run: Run, node: ast.CallExpression, called: unknown, receiver: unknown, env: Env | null): unknown {
  const { source } = run
  if (node.questionDotToken && (called === undefined || called === null)) return undefined
  if (typeof called !== 'function') return unknownOf(source.typeOf(node), node)
  const declared = declaredAs(called)
  const type = source.typeOf(node)
  // A database knows the features of its program, and there is one program.
  if (declared && ast.isFunctionDeclaration(declared) && declared.name?.text === 'featuresOf') return run.evaluate(source.features(), null)
  if (declared) {
    const isAsync = declared.modifiers?.some(({ kind }) => kind === ast.SyntaxKind.AsyncKeyword) ?? false
    if (isAsync && ast.isFunctionDeclaration(declared) && !source.carriesSql(type)) return unknownOf(awaited(run, type), node)
    const args = list(run, node.arguments, env)
    if (isPlain(run, type) && args.some((one) => one instanceof Unknown)) return unknownOf(type, node)
    return called(...args)
  }
  const args = list(run, node.arguments, env)
  if (isOfKysely(receiver, called))
    return Reflect.apply(
      called,
      receiver,
      args.map((one, place) => argument(run, node, one, place)),
    )
  return native(run, node, { called: called as Called['called'], receiver, given: args })
}

type Called = { called: (...given: unknown[]) => unknown; receiver: unknown; given: unknown[] }

/** Evaluates JavaScript's own functions on lists and records, whose parts may be unknown; any other call gives an unknown value. */
function native(run: Run, node: ast.CallExpression, { called, receiver, given }: Called): unknown {
  const { name } = called
  if (receiver === Object && /^(keys|values|entries|fromEntries|assign)$/.test(name)) {
    const whole = given.map((one) => expanded(run.source, settled(run.paths, one)))
    if (whole.every((one) => typeof one === 'object' && one !== null && !(one instanceof Unknown)))
      return Reflect.apply(called, receiver, whole)
  }
  if (Array.isArray(receiver) && typeof given[0] === 'function') return overList(run, node, { called, receiver, given })
  const isList = Array.isArray(receiver) && !given.some((one) => one instanceof Unknown)
  const isText = typeof receiver === 'string' && given.every((one) => typeof one === 'string' || typeof one === 'number')
  const isMath = receiver === Math && given.every((one) => typeof one === 'number')
  const isKnownList = isList && !(name === 'join' && receiver.some((one) => one instanceof Unknown))
  if (isKnownList || isText || isMath) return Reflect.apply(called, receiver, given)
  return unknownOf(run.source.typeOf(node), node)
}

/** A callback gets each element of a list; one element may stand for any number. */
function overList(run: Run, node: ast.CallExpression, { called, receiver, given }: Called): unknown {
  const [judge] = given as [Called['called']]
  const all = receiver as unknown[]
  const { name } = called
  const like = (list: unknown[]) => (isOfAnyLength(all) ? asAnyLength(list) : list)
  const results = all.map((one, place) => resolved(judge(one, place)))
  if (name === 'map') return like(results)
  if (name === 'flatMap') return like(results.flatMap((one) => expanded(run.source, one)))
  if (name === 'filter') return like(all.filter((_, place) => results[place]))
  return results.some((one) => one instanceof Unknown) ? unknownOf(run.source.typeOf(node), node) : Reflect.apply(called, receiver, given)
}

function awaited(run: Run, type: ReturnType<Run['source']['typeOf']>) {
  return type?.isTypeReference() ? run.source.checker.getTypeArguments(type)[0] : type
}

// Plain data is not the name of a table or a column, so its type is enough.
function isPlain(run: Run, type: ReturnType<Run['source']['typeOf']>): boolean {
  return type !== undefined && !run.source.carriesSql(type) && !isChoice(type)
}

const natives = new Set<unknown>([Object, Math, JSON, Array, String, Number, Boolean, Date, Buffer, BigInt, Map, Set, Promise])

function isOfKysely(receiver: unknown, called: unknown): boolean {
  if (receiver === null || receiver === undefined) return !natives.has(called)
  if (natives.has(receiver) || Array.isArray(receiver)) return false
  const { constructor } = Object(receiver) as object
  return typeof receiver === 'function' || (typeof receiver === 'object' && (constructor === Object || !natives.has(constructor)))
}

const values = new Set(['set', 'values', 'doUpdateSet', 'val', 'lit'])
const comparing = new Set(['where', 'having', 'on', 'eb', 'row', 'limit', 'offset'])

function argument(run: Run, node: ast.CallExpression, value: unknown, place: number): unknown {
  const name = ast.isPropertyAccessExpression(node.expression) ? node.expression.name.text : 'eb'
  if (name === 'join' && place === 0) return expanded(run.source, value)
  if (values.has(name) && place === 0) return written(run, value)
  if (Array.isArray(value)) return value.map((one) => argument(run, node, one, place))
  if (!(value instanceof Unknown)) return value
  if (value.known) return argument(run, node, resolved(value), place)
  if (comparing.has(name) && place !== 1 && !(place === 0 && name !== 'limit' && name !== 'offset')) {
    const isList = /^'(not )?in'$/.test(node.arguments[1]?.getText() ?? '')
    return isList ? expanded(run.source, settled(run.paths, value)) : value
  }
  if (name === 'limit' || name === 'offset') return value
  const known = settled(run.paths, asGiven(run, value))
  if (known instanceof Unknown) throw new NotComposable(`${name} at ${run.source.placeOf(node)}`)
  return known
}

// Rows are expanded column by column. An update without columns counts as a path that no caller takes.
function written(run: Run, value: unknown): unknown {
  const whole = expanded(run.source, settled(run.paths, asGiven(run, value)))
  if (Array.isArray(whole)) return whole.map((one) => written(run, one))
  if (whole !== null && typeof whole === 'object' && Object.keys(whole).length === 0) throw new DeadEnd()
  return whole
}
