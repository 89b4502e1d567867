import * as ast from 'typescript/unstable/ast'
import type { Env, Run } from './run.ts'
import { isOfAnyLength, expanded, partOf, settled, resolved, Unknown, unknownOf } from './values.ts'

/** The property of a value, known or not. */
export function member(run: Run, node: ast.Expression, receiver: unknown, name: string): unknown {
  const value = resolved(receiver)
  if (value instanceof Unknown) return partOf(run.source, value, name, run.source.typeOf(node))
  if (value === null || value === undefined) return undefined
  if (name === 'length' && isOfAnyLength(value)) return unknownOf(run.source.typeOf(node), node)
  const found: unknown = Reflect.get(Object(value), name)
  if (found === undefined && !(name in Object(value))) return Array.isArray(value) ? undefined : absent(run, node, value)
  return found
}

function absent(run: Run, node: ast.Expression, value: unknown): unknown {
  return Object.getPrototypeOf(value) === Object.prototype ? undefined : unknownOf(run.source.typeOf(node), node)
}

/** Arguments or elements, with spreads expanded. */
export function list(run: Run, elements: readonly ast.Expression[], env: Env | null): unknown[] {
  return elements.flatMap((one) => {
    if (!ast.isSpreadElement(one)) return [run.evaluate(one, env)]
    const spread = expanded(run.source, settled(run.paths, run.evaluate(one.expression, env)))
    if (spread instanceof Set || spread instanceof Map || Array.isArray(spread)) return [...(spread as Iterable<unknown>)]
    return [unknownOf(run.source.typeOf(one), one)]
  })
}
