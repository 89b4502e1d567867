import * as ast from 'typescript/unstable/ast'
import type { Env, Run } from './run.ts'
import { isTrue } from './truth.ts'
import { isChoice, expanded, settled, settledNull, Unknown, unknownOf } from './values.ts'

type Node = ast.BinaryExpression | ast.PrefixUnaryExpression

const { SyntaxKind } = ast
const equal = new Set([SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.EqualsEqualsToken])
const unequal = new Set([SyntaxKind.ExclamationEqualsEqualsToken, SyntaxKind.ExclamationEqualsToken])

const arithmetic: Record<number, ((left: number, right: number) => unknown) | undefined> = {
  [SyntaxKind.PlusToken]: (left, right) => left + right,
  [SyntaxKind.MinusToken]: (left, right) => left - right,
  [SyntaxKind.AsteriskToken]: (left, right) => left * right,
  [SyntaxKind.SlashToken]: (left, right) => left / right,
  [SyntaxKind.GreaterThanToken]: (left, right) => left > right,
  [SyntaxKind.GreaterThanEqualsToken]: (left, right) => left >= right,
  [SyntaxKind.LessThanToken]: (left, right) => left < right,
}

export function operation(run: Run, node: Node, env: Env | null): unknown {
  if (ast.isPrefixUnaryExpression(node)) return prefixed(run, node, env)
  const kind = node.operatorToken.kind
  if (kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken) return either(run, node, env)
  if (kind === SyntaxKind.QuestionQuestionToken) {
    const left = settledNull(run.paths, run.evaluate(node.left, env))
    return left ?? run.evaluate(node.right, env)
  }
  if (equal.has(kind)) return isSame(run, node, env)
  if (unequal.has(kind)) {
    const same = isSame(run, node, env)
    return same instanceof Unknown ? same : !same
  }
  if (kind === SyntaxKind.InKeyword) return isIn(run, node, env)
  return computed(run, node, env)
}

function prefixed(run: Run, node: ast.PrefixUnaryExpression, env: Env | null): unknown {
  const value = run.evaluate(node.operand, env)
  if (node.operator === SyntaxKind.ExclamationToken) return !isTrue(run, value)
  if (value instanceof Unknown) return new Unknown(run.source.typeOf(node), node)
  return node.operator === SyntaxKind.MinusToken ? -Number(value) : Number(value)
}

function either(run: Run, { left, operatorToken, right }: ast.BinaryExpression, env: Env | null): unknown {
  const value = run.evaluate(left, env)
  const isAnd = operatorToken.kind === SyntaxKind.AmpersandAmpersandToken
  const known = settledNull(run.paths, value)
  return isTrue(run, known) === isAnd ? run.evaluate(right, env) : known instanceof Unknown && isAnd ? false : known
}

function isSame(run: Run, node: ast.BinaryExpression, env: Env | null): unknown {
  const [left, right] = [node.left, node.right].map((side) => run.evaluate(side, env))
  const isAboutNull = left === null || left === undefined || right === null || right === undefined
  const [one, other] = [left, right].map((side) =>
    isAboutNull ? settledNull(run.paths, side) : side instanceof Unknown && isChoice(side.type) ? settled(run.paths, side) : side,
  )
  if (isAboutNull) return one === other
  if (one instanceof Unknown || other instanceof Unknown) return one === other || unknownOf(run.source.typeOf(node), node)
  return one === other
}

function isIn(run: Run, node: ast.BinaryExpression, env: Env | null): unknown {
  const key = settled(run.paths, run.evaluate(node.left, env))
  const value = expanded(run.source, settled(run.paths, run.evaluate(node.right, env)))
  if (key instanceof Unknown || value instanceof Unknown) return unknownOf(run.source.typeOf(node), node)
  return String(key) in Object(value)
}

function computed(run: Run, node: ast.BinaryExpression, env: Env | null): unknown {
  const [left, right] = [node.left, node.right].map((side) => run.evaluate(side, env))
  if (typeof left === 'string' && typeof right === 'string' && node.operatorToken.kind === SyntaxKind.PlusToken) return left + right
  if (typeof left !== 'number' || typeof right !== 'number') return unknownOf(run.source.typeOf(node), node)
  const compute = arithmetic[node.operatorToken.kind]
  return compute ? compute(left, right) : unknownOf(run.source.typeOf(node), node)
}
