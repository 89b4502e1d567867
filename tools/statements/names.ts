import * as kysely from 'kysely'
import * as ast from 'typescript/unstable/ast'
import { list } from './members.ts'
import type { Env, Run } from './run.ts'
import { isTrue } from './truth.ts'
import {
  constantsOf,
  DeadEnd,
  isChoice,
  NotComposable,
  expanded,
  partOf,
  settled,
  settledNull,
  resolved,
  Unknown,
  unknownOf,
} from './values.ts'

const builtIn = new Set([
  'BigInt',
  'Object',
  'Math',
  'JSON',
  'Array',
  'Promise',
  'Set',
  'Map',
  'Date',
  'String',
  'Number',
  'Boolean',
  'Buffer',
])

/** The value of a name: that of its declaration, in any file. */
export function valueOfName(run: Run, name: ast.Node, env: Env | null): unknown {
  const text = name.getText()
  if (text === 'undefined') return undefined
  const declared = run.source.declarationOf(name)
  if (declared) return narrowed(run, name, valueOf(run, declared, env))
  if (text in kysely) return Reflect.get(kysely, text)
  if (builtIn.has(text)) return Reflect.get(globalThis, text)
  return unknownOf(run.source.typeOf(name), name)
}

// The compiler narrows a union in a branch; a path that chose another member does not lead there.
function narrowed(run: Run, name: ast.Node, raw: unknown): unknown {
  if (!(raw instanceof Unknown) || !isChoice(raw.type)) return raw
  const value = resolved(raw)
  const type = run.source.typeOf(name)
  if (!type || !isChoice(type)) return value
  if (!(value instanceof Unknown)) {
    if (!constantsOf(type).includes(value)) throw new DeadEnd()
  } else if (isChoice(value.type) && value.type && constantsOf(type).length < constantsOf(value.type).length) value.type = type
  return value
}

export function placeKey(node: ast.Node): string {
  return `${node.getSourceFile().fileName}:${node.pos}:${node.end}`
}

export function valueOf(run: Run, declared: ast.Node, env: Env | null): unknown {
  for (let scope = env; scope; scope = scope.parent) if (scope.values.has(declared)) return scope.values.get(declared)
  if (run.lazy.has(declared)) return run.lazy.get(declared)
  const value = declaredValue(run, declared, env)
  if (!ast.isFunctionDeclaration(declared)) run.lazy.set(declared, value)
  return value
}

function declaredValue(run: Run, declared: ast.Node, env: Env | null): unknown {
  if (ast.isFunctionDeclaration(declared)) return run.closure(declared, env)
  if (ast.isBindingElement(declared)) return boundValue(run, declared, env)
  if (ast.isParameterDeclaration(declared)) return parameter(run, declared)
  if (!ast.isVariableDeclaration(declared)) return unknownOf(run.source.typeOf(declared), declared)
  const declarations = declared.parent
  const loop = declarations.parent
  if (ast.isForOfStatement(loop)) return oneOf(run, run.evaluate(loop.expression, env), loop)
  const type = run.source.typeOf(declared.name)
  const isFixed = (declarations.flags & ast.NodeFlags.Const) !== 0
  if (!declared.initializer || (!isFixed && !run.source.carriesSql(type))) return new Unknown(type, declared)
  const value = run.evaluate(declared.initializer, env)
  if (run.source.carriesSql(type)) return changed(run, declared, value, env)
  return Array.isArray(value) && run.source.changesOf(declared).length > 0 ? new Unknown(type, declared) : value
}

/** A variable with its later assignments and pushes, where their conditions hold. */
function changed(run: Run, declared: ast.VariableDeclaration, value: unknown, env: Env | null): unknown {
  let now = value
  for (const { change, under } of run.source.changesOf(declared)) {
    if (!under.every(({ condition, is }) => isTrue(run, run.evaluate(condition, env)) === is)) continue
    const own: Env = { parent: env, values: new Map([[declared, now]]) }
    if (ast.isBinaryExpression(change)) now = run.evaluate(change.right, own)
    else if (Array.isArray(now)) now = [...now, ...list(run, change.arguments, own)]
  }
  return now
}

function oneOf(run: Run, value: unknown, from: ast.Node): unknown {
  const list = expanded(run.source, settled(run.paths, value))
  if (Array.isArray(list) && list.length > 0) return list[run.paths.choose(list.length, placeKey(from))]
  return new Unknown(undefined, from)
}

function boundValue(run: Run, element: ast.BindingElement, env: Env | null): unknown {
  const pattern = element.parent
  const whole =
    ast.isParameterDeclaration(pattern.parent) || ast.isBindingElement(pattern.parent) || ast.isVariableDeclaration(pattern.parent)
  if (!whole) throw new NotComposable(`a pattern at ${run.source.placeOf(element)}`)
  return partBound(run, element, valueOf(run, pattern.parent, env), env)
}

/** The part of a value bound by an element of a pattern. */
export function partBound(run: Run, element: ast.BindingElement, raw: unknown, env: Env | null): unknown {
  const whole = settledNull(run.paths, raw)
  const pattern = element.parent
  if (ast.isArrayBindingPattern(pattern)) {
    const place = pattern.elements.indexOf(element)
    const list = expanded(run.source, whole)
    if (element.dotDotDotToken) return Array.isArray(list) ? list.slice(place) : unknownOf(run.source.typeOf(nameOf(element)), element)
    if (Array.isArray(list) && (Array.isArray(whole) || place === 0)) return orElse(run, element, list[place], env)
    return whole instanceof Unknown
      ? orElse(run, element, partOf(run.source, whole, `${place}`, run.source.typeOf(nameOf(element))), env)
      : undefined
  }
  if (element.dotDotDotToken) return rest(run, element, whole)
  const named = element.propertyName ?? element.name
  const name = named && (ast.isStringLiteral(named) ? named.text : named.getText())
  if (!name) throw new NotComposable(`a pattern at ${run.source.placeOf(element)}`)
  if (whole instanceof Unknown) {
    if (element.initializer) return orElse(run, element, partOf(run.source, whole, name), env)
    return partOf(
      run.source,
      whole,
      name,
      whole.type && run.source.typeOfProperty(whole.type, name) ? undefined : run.source.typeOf(nameOf(element)),
    )
  }
  return orElse(run, element, Reflect.get(Object(whole), name), env)
}

function nameOf(element: ast.BindingElement): ast.Node {
  return element.name ?? element
}

function orElse(run: Run, { initializer }: ast.BindingElement, value: unknown, env: Env | null): unknown {
  return initializer && settledNull(run.paths, value) === undefined ? run.evaluate(initializer, env) : value
}

function rest(run: Run, element: ast.BindingElement, whole: unknown): unknown {
  const taken = new Set(
    (element.parent as ast.BindingPattern).elements.map((one) =>
      ast.isBindingElement(one) ? (one.propertyName ?? one.name)?.getText() : '',
    ),
  )
  const parts = expanded(run.source, whole)
  if (parts instanceof Unknown || parts === null || typeof parts !== 'object') return unknownOf(run.source.typeOf(nameOf(element)), element)
  return Object.fromEntries(Object.entries(parts).filter(([name]) => !taken.has(name)))
}

/** A parameter of a function not called on this path is any value of its type; SQL is taken from one of the callers. */
function parameter(run: Run, declared: ast.ParameterDeclaration): unknown {
  const type = run.source.typeOf(declared.name)
  const element = fromElement(run, declared)
  if (element) return element.value
  const isChosen = run.callers.has(declared.parent)
  if (isChosen || run.source.carriesSql(type)) return fromCaller(run, declared) ?? unknownOf(type, declared)
  return unknownOf(type, declared)
}

const overElements = new Set(['map', 'flatMap', 'filter', 'forEach', 'every', 'some'])

// A callback of an array method gets one of the elements.
function fromElement(run: Run, declared: ast.ParameterDeclaration): { value: unknown } | null {
  const call = declared.parent.parent
  if (!ast.isCallExpression(call) || !ast.isPropertyAccessExpression(call.expression)) return null
  const { name, expression } = call.expression
  if (!overElements.has(name.getText()) || call.arguments[0] !== declared.parent) return null
  if (Reflect.get(declared.parent, 'parameters')?.[0] !== declared) return null
  const list = expanded(run.source, settled(run.paths, run.evaluate(expression, null)))
  return Array.isArray(list) && list.length > 0 ? { value: list[run.paths.choose(list.length, placeKey(declared))] } : null
}

/** The argument of a caller. All parameters of a function come from the same call, so that they fit together. */
export function fromCaller(run: Run, declared: ast.ParameterDeclaration): unknown {
  const to = declared.parent
  if (!run.callers.has(to)) {
    const calls = run.source.callsOf(to).filter((call) => !isWithin(call, to))
    run.callers.set(to, calls[run.paths.choose(Math.max(1, calls.length), placeKey(to))] ?? null)
  }
  const call = run.callers.get(to)
  if (!call) return undefined
  const place = (Reflect.get(to, 'parameters') as ast.ParameterDeclaration[]).indexOf(declared)
  const argument = call.arguments[place]
  if (argument && !ast.isSpreadElement(argument)) return run.evaluate(argument, null)
  return declared.initializer ? run.evaluate(declared.initializer, null) : undefined
}

function isWithin(node: ast.Node, outer: ast.Node): boolean {
  for (let at: ast.Node | undefined = node; at; at = at.parent) if (at === outer) return true
  return false
}

/** The caller's argument in place of a parameter, if its value is needed and not just its type. */
export function asGiven(run: Run, value: unknown): unknown {
  if (!(value instanceof Unknown)) return value
  if (value.known) return resolved(value)
  const { from, name } = value
  if (!ast.isParameterDeclaration(from) || name !== '' || run.source.callsOf(from.parent).length === 0) return value
  const result = fromCaller(run, from)
  value.known = { value: result }
  return result
}
